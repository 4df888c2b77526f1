# the first
with recursive target(id, n) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null), 1 union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id), target.n + 1 from target where target.id is not null and target.n < $3) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19,3]

# those after one
with recursive target(id, n) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null and v.ref > $2), 1 union all select (select min(v.ref) from field_value v where v.field = $3 and v.ref is not null and v.ref > target.id), target.n + 1 from target where target.id is not null and target.n < $4) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,5,19,3]
