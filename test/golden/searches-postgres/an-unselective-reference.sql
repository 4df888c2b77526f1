{"filter":{"Task.parent->Task.status":"Open"},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id <= $3 and exists (select 1 from field_value h0 where h0.item = s.id and h0.field = $4 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $5 and (v.text || '') = $6 offset 0) offset 0) order by item asc limit $7
-- [0,2,510,7,1,"Open",51]

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r limit $3) c
-- [1,"Open",2001]

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.text = $3) t))) r limit $4) c
-- [7,1,"Open",501]

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.text = $3) t))) r) s order by item asc limit $4
-- [7,1,"Open",51]
