{"filter":{"Task.owner":"owner 7"},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r) s order by item asc limit $3
-- [2,"owner 7",51]
