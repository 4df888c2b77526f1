{"filter":{"<-Note.about":{"Note.by":"person 7"}},"limit":50}

select s.id as item from (select r.item as id from (with recursive target(id, n) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null), 1 union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id), target.n + 1 from target where target.id is not null and target.n < $3) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null) r) s where exists (select 1 from field_value r0 where r0.field = $4 and r0.ref = s.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $5 and (v.text || '') = $6 offset 0) order by r0.item limit 1 offset 0) order by item asc limit $7
-- [8,8,153,8,9,"person 7",51]

select count(*) as n from (select 1 from (with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null) r limit $3) c
-- [8,8,301]

select count(*) as n from (select 1 from (with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null) r limit $3) c
-- [8,8,501]

select count(*) as n from (select 1 from (select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $3 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null) r limit $4) c
-- [9,"person 7",8,501]

select distinct s.id as item from (select r.item as id from (select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $3 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null) r) s order by item asc limit $4
-- [9,"person 7",8,51]
