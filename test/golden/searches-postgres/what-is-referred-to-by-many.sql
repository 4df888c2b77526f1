{"filter":{"<-Task.parent":{"Task.status":"Open"}},"limit":50}

select s.id as item from (select r.item as id from (with recursive target(id, n) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null), 1 union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id), target.n + 1 from target where target.id is not null and target.n < $3) select n.id as item from target cross join item n where n.id = target.id and n.deleted_at is null) r) s where exists (select 1 from field_value r0 where r0.field = $4 and r0.ref = s.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $5 and (v.text || '') = $6 offset 0) order by r0.item limit 1 offset 0) order by item asc limit $7
-- [7,7,153,7,1,"Open",51]

select count(*) as n from (select 1 from (with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join item n where n.id = target.id and n.deleted_at is null) r limit $3) c
-- [7,7,301]

select s.id as item from (select r.item as id from (with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join item n where n.id = target.id and n.deleted_at is null) r) s where exists (select 1 from field_value r0 where r0.field = $3 and r0.ref = s.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $4 and (v.text || '') = $5 offset 0) order by r0.item limit 1 offset 0) order by item asc limit $6
-- [7,7,7,1,"Open",51]
