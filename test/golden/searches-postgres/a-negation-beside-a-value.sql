{"filter":{"and":[{"Task.owner":"owner 7"},{"not":{"Task.status":"Open"}}]},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r) s where not exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.text || '') = $4 offset 0) order by item asc limit $5
-- [2,"owner 7",1,"Open",51]
