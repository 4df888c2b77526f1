{"filter":{"Task.parent->name":"item 3"},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id <= $3 and exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = s.id and h0.field = $4 and i0.deleted_at is null and ((i0.name || '') = $5) offset 0) order by item asc limit $6
-- [0,2,510,7,"item 3",51]

select count(*) as n from (select 1 from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1) r limit $2) c
-- ["item 3",2001]

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $2) t))) r limit $3) c
-- [7,"item 3",501]

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $2) t))) r) s order by item asc limit $3
-- [7,"item 3",51]
