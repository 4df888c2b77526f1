{"filter":{"and":[{"Task.status":{"match":"Open"}},{"Task.owner":"owner 7"}]},"limit":50}

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r limit $3) c
-- [1,"Open",301]

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r limit $3) c
-- [2,"owner 7",301]

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.text || '') = $4 offset 0) order by item asc limit $5
-- [2,"owner 7",1,"Open",51]
