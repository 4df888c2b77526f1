# name, everything, after undefined
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.id <= 99 order by w.value, w.id limit $1
  -- [3]

# name, everything, after {"value":2}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value > $1 order by w.value, w.id limit $2
  -- [2,3]

# name, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where (w.value, w.id) > ($1, $2) order by w.value, w.id limit $3
  -- [2,9,3]

# name, a name, after undefined
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.id <= 99 and (coalesce(strpos((w.name || ''), $1) > 0, false)) order by w.value, w.id limit $2
  -- ["a",3]

# name, a name, after {"value":2}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value > $1 and (coalesce(strpos((w.name || ''), $2) > 0, false)) order by w.value, w.id limit $3
  -- [2,"a",3]

# name, a name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where (w.value, w.id) > ($1, $2) and (coalesce(strpos((w.name || ''), $3) > 0, false)) order by w.value, w.id limit $4
  -- [2,9,"a",3]

# name, a range of the name, after undefined
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value >= $1 and w.value < $2 and w.id <= 99 and ((w.name || '') >= $3 and (w.name || '') < $4) order by w.value, w.id limit $5
  -- ["a","b","a","b",3]

# name, a range of the name, after {"value":2}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value < $1 and w.value > $2 and ((w.name || '') >= $3 and (w.name || '') < $4) order by w.value, w.id limit $5
  -- ["b",2,"a","b",3]

# name, a range of the name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value < $1 and (w.value, w.id) > ($2, $3) and ((w.name || '') >= $4 and (w.name || '') < $5) order by w.value, w.id limit $6
  -- ["b",2,9,"a","b",3]

# name backwards, everything, after undefined
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.id <= 99 order by w.value desc, w.id desc limit $1
  -- [3]

# name backwards, everything, after {"value":2}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value < $1 order by w.value desc, w.id desc limit $2
  -- [2,3]

# name backwards, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where (w.value, w.id) < ($1, $2) order by w.value desc, w.id desc limit $3
  -- [2,9,3]

# name backwards, a name, after undefined
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.id <= 99 and (coalesce(strpos((w.name || ''), $1) > 0, false)) order by w.value desc, w.id desc limit $2
  -- ["a",3]

# name backwards, a name, after {"value":2}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value < $1 and (coalesce(strpos((w.name || ''), $2) > 0, false)) order by w.value desc, w.id desc limit $3
  -- [2,"a",3]

# name backwards, a name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where (w.value, w.id) < ($1, $2) and (coalesce(strpos((w.name || ''), $3) > 0, false)) order by w.value desc, w.id desc limit $4
  -- [2,9,"a",3]

# name backwards, a range of the name, after undefined
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value < $1 and w.value >= $2 and w.id <= 99 and ((w.name || '') >= $3 and (w.name || '') < $4) order by w.value desc, w.id desc limit $5
  -- ["b","a","a","b",3]

# name backwards, a range of the name, after {"value":2}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value >= $1 and w.value < $2 and ((w.name || '') >= $3 and (w.name || '') < $4) order by w.value desc, w.id desc limit $5
  -- ["a",2,"a","b",3]

# name backwards, a range of the name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w where w.value >= $1 and (w.value, w.id) < ($2, $3) and ((w.name || '') >= $4 and (w.name || '') < $5) order by w.value desc, w.id desc limit $6
  -- ["a",2,9,"a","b",3]

# created_at, everything, after undefined
select w.id as item, w.value as value from (select o.*, o.created_at as value from item o where o.deleted_at is null) w where w.id <= 99 order by w.value, w.id limit $1
  -- [3]

# created_at, everything, after {"value":2}
select w.id as item, w.value as value from (select o.*, o.created_at as value from item o where o.deleted_at is null) w where w.value > $1 order by w.value, w.id limit $2
  -- [2,3]

# created_at, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, o.created_at as value from item o where o.deleted_at is null) w where (w.value, w.id) > ($1, $2) order by w.value, w.id limit $3
  -- [2,9,3]

# name_length, everything, after undefined
select w.id as item, w.value as value from (select o.*, length(o.name) as value from item o where o.deleted_at is null) w where w.id <= 99 order by w.value, w.id limit $1
  -- [3]

# name_length, everything, after {"value":2}
select w.id as item, w.value as value from (select o.*, length(o.name) as value from item o where o.deleted_at is null) w where w.value > $1 order by w.value, w.id limit $2
  -- [2,3]

# name_length, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, length(o.name) as value from item o where o.deleted_at is null) w where (w.value, w.id) > ($1, $2) order by w.value, w.id limit $3
  -- [2,9,3]

# number, everything, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.id <= 99 order by w.value, w.id limit $2
  -- [12,3]

# number, everything, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.value > $2 order by w.value, w.id limit $3
  -- [12,2,3]

# number, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and (w.value, w.id) > ($2, $3) and w.value is not null order by w.value, w.id limit $4
  -- [12,2,9,3]

# number, a tag, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = $2 and (v.ref + 0) = $3 offset 0) order by w.value, w.id limit $4
  -- [12,0,7,3]

# number, a tag, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.value > $2 and exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.ref + 0) = $4 offset 0) order by w.value, w.id limit $5
  -- [12,2,0,7,3]

# number, a tag, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and (w.value, w.id) > ($2, $3) and w.value is not null and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.ref + 0) = $5 offset 0) order by w.value, w.id limit $6
  -- [12,2,9,0,7,3]

# number, a name, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value is not null and w.id <= 99 and (coalesce(strpos((i.name || ''), $2) > 0, false)) order by w.value, w.id limit $3
  -- [12,"a",3]

# number, a name, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value is not null and w.value > $2 and (coalesce(strpos((i.name || ''), $3) > 0, false)) order by w.value, w.id limit $4
  -- [12,2,"a",3]

# number, a name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value is not null and (w.value, w.id) > ($2, $3) and w.value is not null and (coalesce(strpos((i.name || ''), $4) > 0, false)) order by w.value, w.id limit $5
  -- [12,2,9,"a",3]

# number, a range of the number, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value >= $2 and w.value < $3 and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.num + 0) >= $5 and (v.num + 0) < $6 offset 0) order by w.value, w.id limit $7
  -- [12,1,3,12,1,3,3]

# number, a range of the number, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and w.value > $3 and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.num + 0) >= $5 and (v.num + 0) < $6 offset 0) order by w.value, w.id limit $7
  -- [12,3,2,12,1,3,3]

# number, a range of the number, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and (w.value, w.id) > ($3, $4) and w.value is not null and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) >= $6 and (v.num + 0) < $7 offset 0) order by w.value, w.id limit $8
  -- [12,3,2,9,12,1,3,3]

# number, numbers from one on, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value >= $2 and w.value is not null and w.id <= 99 and (exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) >= $6 offset 0)) order by w.value, w.id limit $7
  -- [12,1,0,7,12,1,3]

# number, numbers from one on, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.value > $2 and (exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) >= $6 offset 0)) order by w.value, w.id limit $7
  -- [12,2,0,7,12,1,3]

# number, numbers from one on, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and (w.value, w.id) > ($2, $3) and w.value is not null and (exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $6 and (v.num + 0) >= $7 offset 0)) order by w.value, w.id limit $8
  -- [12,2,9,0,7,12,1,3]

# number, numbers after one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value > $2 and w.value is not null and w.id <= 99 and (exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) > $6 offset 0)) order by w.value, w.id limit $7
  -- [12,1,0,7,12,1,3]

# number, numbers after one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.value > $2 and (exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) > $6 offset 0)) order by w.value, w.id limit $7
  -- [12,2,0,7,12,1,3]

# number, numbers after one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and (w.value, w.id) > ($2, $3) and w.value is not null and (exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $6 and (v.num + 0) > $7 offset 0)) order by w.value, w.id limit $8
  -- [12,2,9,0,7,12,1,3]

# number, numbers up to one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value <= $2 and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.num + 0) <= $4 offset 0) order by w.value, w.id limit $5
  -- [12,1,12,1,3]

# number, numbers up to one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value <= $2 and w.value > $3 and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.num + 0) <= $5 offset 0) order by w.value, w.id limit $6
  -- [12,1,2,12,1,3]

# number, numbers up to one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value <= $2 and (w.value, w.id) > ($3, $4) and w.value is not null and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) <= $6 offset 0) order by w.value, w.id limit $7
  -- [12,1,2,9,12,1,3]

# number, numbers before one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.num + 0) < $4 offset 0) order by w.value, w.id limit $5
  -- [12,1,12,1,3]

# number, numbers before one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and w.value > $3 and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.num + 0) < $5 offset 0) order by w.value, w.id limit $6
  -- [12,1,2,12,1,3]

# number, numbers before one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and (w.value, w.id) > ($3, $4) and w.value is not null and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) < $6 offset 0) order by w.value, w.id limit $7
  -- [12,1,2,9,12,1,3]

# number, a range of the name, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value is not null and w.id <= 99 and ((i.name || '') >= $2 and (i.name || '') < $3) order by w.value, w.id limit $4
  -- [12,"a","b",3]

# number, a range of the name, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value is not null and w.value > $2 and ((i.name || '') >= $3 and (i.name || '') < $4) order by w.value, w.id limit $5
  -- [12,2,"a","b",3]

# number, a range of the name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value is not null and (w.value, w.id) > ($2, $3) and w.value is not null and ((i.name || '') >= $4 and (i.name || '') < $5) order by w.value, w.id limit $6
  -- [12,2,9,"a","b",3]

# number, a referred range, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.id <= 99 and exists (select 1 from field_value r0 where r0.field = $2 and r0.ref = w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $3 and (v.num + 0) >= $4 and (v.num + 0) < $5 offset 0) order by r0.item limit 1 offset 0) order by w.value, w.id limit $6
  -- [12,19,12,1,3,3]

# number, a referred range, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.value > $2 and exists (select 1 from field_value r0 where r0.field = $3 and r0.ref = w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $4 and (v.num + 0) >= $5 and (v.num + 0) < $6 offset 0) order by r0.item limit 1 offset 0) order by w.value, w.id limit $7
  -- [12,2,19,12,1,3,3]

# number, a referred range, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and (w.value, w.id) > ($2, $3) and w.value is not null and exists (select 1 from field_value r0 where r0.field = $4 and r0.ref = w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $5 and (v.num + 0) >= $6 and (v.num + 0) < $7 offset 0) order by r0.item limit 1 offset 0) order by w.value, w.id limit $8
  -- [12,2,9,19,12,1,3,3]

# number backwards, everything, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.id <= 99 order by w.value desc, w.id desc limit $2
  -- [12,3]

# number backwards, everything, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 order by w.value desc, w.id desc limit $3
  -- [12,2,3]

# number backwards, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where (w.value, w.id) < ($2, $3) and w.value is not null order by w.value desc, w.id desc limit $4
  -- [12,2,9,3]

# number backwards, a tag, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = $2 and (v.ref + 0) = $3 offset 0) order by w.value desc, w.id desc limit $4
  -- [12,0,7,3]

# number backwards, a tag, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.ref + 0) = $4 offset 0) order by w.value desc, w.id desc limit $5
  -- [12,2,0,7,3]

# number backwards, a tag, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where (w.value, w.id) < ($2, $3) and w.value is not null and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.ref + 0) = $5 offset 0) order by w.value desc, w.id desc limit $6
  -- [12,2,9,0,7,3]

# number backwards, a name, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value is not null and w.id <= 99 and (coalesce(strpos((i.name || ''), $2) > 0, false)) order by w.value desc, w.id desc limit $3
  -- [12,"a",3]

# number backwards, a name, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value < $2 and (coalesce(strpos((i.name || ''), $3) > 0, false)) order by w.value desc, w.id desc limit $4
  -- [12,2,"a",3]

# number backwards, a name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and (w.value, w.id) < ($2, $3) and w.value is not null and (coalesce(strpos((i.name || ''), $4) > 0, false)) order by w.value desc, w.id desc limit $5
  -- [12,2,9,"a",3]

# number backwards, a range of the number, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and w.value >= $3 and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.num + 0) >= $5 and (v.num + 0) < $6 offset 0) order by w.value desc, w.id desc limit $7
  -- [12,3,1,12,1,3,3]

# number backwards, a range of the number, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value >= $2 and w.value < $3 and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.num + 0) >= $5 and (v.num + 0) < $6 offset 0) order by w.value desc, w.id desc limit $7
  -- [12,1,2,12,1,3,3]

# number backwards, a range of the number, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value >= $2 and (w.value, w.id) < ($3, $4) and w.value is not null and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) >= $6 and (v.num + 0) < $7 offset 0) order by w.value desc, w.id desc limit $8
  -- [12,1,2,9,12,1,3,3]

# number backwards, numbers from one on, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.value >= $2 and w.id <= 99 and (exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) >= $6 offset 0)) order by w.value desc, w.id desc limit $7
  -- [12,1,0,7,12,1,3]

# number backwards, numbers from one on, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value >= $2 and w.value < $3 and (exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $6 and (v.num + 0) >= $7 offset 0)) order by w.value desc, w.id desc limit $8
  -- [12,1,2,0,7,12,1,3]

# number backwards, numbers from one on, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value >= $2 and (w.value, w.id) < ($3, $4) and w.value is not null and (exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.ref + 0) = $6 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $7 and (v.num + 0) >= $8 offset 0)) order by w.value desc, w.id desc limit $9
  -- [12,1,2,9,0,7,12,1,3]

# number backwards, numbers after one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.value > $2 and w.id <= 99 and (exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.num + 0) > $6 offset 0)) order by w.value desc, w.id desc limit $7
  -- [12,1,0,7,12,1,3]

# number backwards, numbers after one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value > $2 and w.value < $3 and (exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $6 and (v.num + 0) > $7 offset 0)) order by w.value desc, w.id desc limit $8
  -- [12,1,2,0,7,12,1,3]

# number backwards, numbers after one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value > $2 and (w.value, w.id) < ($3, $4) and w.value is not null and (exists (select 1 from field_value v where v.item = w.id and v.field = $5 and (v.ref + 0) = $6 offset 0) and exists (select 1 from field_value v where v.item = w.id and v.field = $7 and (v.num + 0) > $8 offset 0)) order by w.value desc, w.id desc limit $9
  -- [12,1,2,9,0,7,12,1,3]

# number backwards, numbers up to one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value <= $2 and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.num + 0) <= $4 offset 0) order by w.value desc, w.id desc limit $5
  -- [12,1,12,1,3]

# number backwards, numbers up to one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.num + 0) <= $4 offset 0) order by w.value desc, w.id desc limit $5
  -- [12,2,12,1,3]

# number backwards, numbers up to one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where (w.value, w.id) < ($2, $3) and w.value is not null and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.num + 0) <= $5 offset 0) order by w.value desc, w.id desc limit $6
  -- [12,2,9,12,1,3]

# number backwards, numbers before one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.num + 0) < $4 offset 0) order by w.value desc, w.id desc limit $5
  -- [12,1,12,1,3]

# number backwards, numbers before one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and exists (select 1 from field_value v where v.item = w.id and v.field = $3 and (v.num + 0) < $4 offset 0) order by w.value desc, w.id desc limit $5
  -- [12,2,12,1,3]

# number backwards, numbers before one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where (w.value, w.id) < ($2, $3) and w.value is not null and exists (select 1 from field_value v where v.item = w.id and v.field = $4 and (v.num + 0) < $5 offset 0) order by w.value desc, w.id desc limit $6
  -- [12,2,9,12,1,3]

# number backwards, a range of the name, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value is not null and w.id <= 99 and ((i.name || '') >= $2 and (i.name || '') < $3) order by w.value desc, w.id desc limit $4
  -- [12,"a","b",3]

# number backwards, a range of the name, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and w.value < $2 and ((i.name || '') >= $3 and (i.name || '') < $4) order by w.value desc, w.id desc limit $5
  -- [12,2,"a","b",3]

# number backwards, a range of the name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w cross join item i where i.id = w.id and (w.value, w.id) < ($2, $3) and w.value is not null and ((i.name || '') >= $4 and (i.name || '') < $5) order by w.value desc, w.id desc limit $6
  -- [12,2,9,"a","b",3]

# number backwards, a referred range, after undefined
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null and w.id <= 99 and exists (select 1 from field_value r0 where r0.field = $2 and r0.ref = w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $3 and (v.num + 0) >= $4 and (v.num + 0) < $5 offset 0) order by r0.item limit 1 offset 0) order by w.value desc, w.id desc limit $6
  -- [12,19,12,1,3,3]

# number backwards, a referred range, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value < $2 and exists (select 1 from field_value r0 where r0.field = $3 and r0.ref = w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $4 and (v.num + 0) >= $5 and (v.num + 0) < $6 offset 0) order by r0.item limit 1 offset 0) order by w.value desc, w.id desc limit $7
  -- [12,2,19,12,1,3,3]

# number backwards, a referred range, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where (w.value, w.id) < ($2, $3) and w.value is not null and exists (select 1 from field_value r0 where r0.field = $4 and r0.ref = w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $5 and (v.num + 0) >= $6 and (v.num + 0) < $7 offset 0) order by r0.item limit 1 offset 0) order by w.value desc, w.id desc limit $8
  -- [12,2,9,19,12,1,3,3]

# text, everything, after undefined
select w.id as item, w.value as value from (select o.item as id, o.text as value from field_value o where o.field = $1) w where w.value is not null and w.id <= 99 order by w.value, w.id limit $2
  -- [11,3]

# text, everything, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.text as value from field_value o where o.field = $1) w where w.value is not null and w.value > $2 order by w.value, w.id limit $3
  -- [11,2,3]

# text, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.text as value from field_value o where o.field = $1) w where w.value is not null and (w.value, w.id) > ($2, $3) and w.value is not null order by w.value, w.id limit $4
  -- [11,2,9,3]

# next, everything, after undefined
select w.id as item, w.value as value from (select o.item as id, o.ref as value from field_value o where o.field = $1) w where w.value is not null and w.id <= 99 order by w.value, w.id limit $2
  -- [19,3]

# next, everything, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.ref as value from field_value o where o.field = $1) w where w.value is not null and w.value > $2 order by w.value, w.id limit $3
  -- [19,2,3]

# next, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.ref as value from field_value o where o.field = $1) w where w.value is not null and (w.value, w.id) > ($2, $3) and w.value is not null order by w.value, w.id limit $4
  -- [19,2,9,3]
