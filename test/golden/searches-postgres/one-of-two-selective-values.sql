{"filter":{"or":[{"Task.owner":"owner 7"},{"name":"item 9"}]},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r) s union select s.id as item from (select r.item as id from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $3) r) s order by item asc limit $4
-- [2,"owner 7","item 9",51]
