# the first
with recursive target(id, n) as (select (select min(v.val) from field_value v where v.field = +? and v.val < ''), 1 union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id), target.n + 1 from target where target.id is not null and target.n < +?) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19,3]

# those after one
with recursive target(id, n) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > +?), 1 union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id), target.n + 1 from target where target.id is not null and target.n < +?) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,5,19,3]
