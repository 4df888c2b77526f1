{"filter":{"and":[{"Task.status":"Open"},{"Task.done":false}]},"limit":50}

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.num = $2) r limit $3) c
-- [5,0,301]

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r limit $3) c
-- [1,"Open",501]

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.num = $2) r limit $3) c
-- [5,0,501]

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r) s intersect select s.item as item from (select v.item as item from field_value v where v.field = $3 and v.num = $4) s order by item asc limit $5
-- [1,"Open",5,0,51]
