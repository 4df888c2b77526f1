# name, everything, after undefined
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.id <= 99 order by w.value, w.id limit +?
  -- [3]

# name, everything, after {"value":2}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value > +? order by w.value, w.id limit +?
  -- [2,3]

# name, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where (w.value, w.id) > (+?, +?) order by w.value, w.id limit +?
  -- [2,9,3]

# name, a name, after undefined
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and ((typeof(+w.name) = 'text' and (octet_length(+w.name) < 65536 or goes_on()) and instr(+w.name, +?) > 0)) order by w.value, w.id limit +?
  -- ["a",3]

# name, a name, after {"value":2}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value > +? and (w.id & 1023 or goes_on(w.id)) and ((typeof(+w.name) = 'text' and (octet_length(+w.name) < 65536 or goes_on()) and instr(+w.name, +?) > 0)) order by w.value, w.id limit +?
  -- [2,"a",3]

# name, a name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and ((typeof(+w.name) = 'text' and (octet_length(+w.name) < 65536 or goes_on()) and instr(+w.name, +?) > 0)) order by w.value, w.id limit +?
  -- [2,9,"a",3]

# name, a range of the name, after undefined
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value >= +? and w.value < +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and (+w.name >= +? and +w.name < +?) order by w.value, w.id limit +?
  -- ["a","b","a","b",3]

# name, a range of the name, after {"value":2}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value < +? and w.value > +? and (w.id & 1023 or goes_on(w.id)) and (+w.name >= +? and +w.name < +?) order by w.value, w.id limit +?
  -- ["b",2,"a","b",3]

# name, a range of the name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value < +? and (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and (+w.name >= +? and +w.name < +?) order by w.value, w.id limit +?
  -- ["b",2,9,"a","b",3]

# name backwards, everything, after undefined
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.id <= 99 order by w.value desc, w.id desc limit +?
  -- [3]

# name backwards, everything, after {"value":2}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value < +? order by w.value desc, w.id desc limit +?
  -- [2,3]

# name backwards, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where (w.value, w.id) < (+?, +?) order by w.value desc, w.id desc limit +?
  -- [2,9,3]

# name backwards, a name, after undefined
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and ((typeof(+w.name) = 'text' and (octet_length(+w.name) < 65536 or goes_on()) and instr(+w.name, +?) > 0)) order by w.value desc, w.id desc limit +?
  -- ["a",3]

# name backwards, a name, after {"value":2}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value < +? and (w.id & 1023 or goes_on(w.id)) and ((typeof(+w.name) = 'text' and (octet_length(+w.name) < 65536 or goes_on()) and instr(+w.name, +?) > 0)) order by w.value desc, w.id desc limit +?
  -- [2,"a",3]

# name backwards, a name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and ((typeof(+w.name) = 'text' and (octet_length(+w.name) < 65536 or goes_on()) and instr(+w.name, +?) > 0)) order by w.value desc, w.id desc limit +?
  -- [2,9,"a",3]

# name backwards, a range of the name, after undefined
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value < +? and w.value >= +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and (+w.name >= +? and +w.name < +?) order by w.value desc, w.id desc limit +?
  -- ["b","a","a","b",3]

# name backwards, a range of the name, after {"value":2}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value >= +? and w.value < +? and (w.id & 1023 or goes_on(w.id)) and (+w.name >= +? and +w.name < +?) order by w.value desc, w.id desc limit +?
  -- ["a",2,"a","b",3]

# name backwards, a range of the name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w where w.value >= +? and (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and (+w.name >= +? and +w.name < +?) order by w.value desc, w.id desc limit +?
  -- ["a",2,9,"a","b",3]

# created_at, everything, after undefined
select w.id as item, w.value as value from (select o.*, o.created_at as value from item o where o.deleted_at is null) w where w.id <= 99 order by w.value, w.id limit +?
  -- [3]

# created_at, everything, after {"value":2}
select w.id as item, w.value as value from (select o.*, o.created_at as value from item o where o.deleted_at is null) w where w.value > +? order by w.value, w.id limit +?
  -- [2,3]

# created_at, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, o.created_at as value from item o where o.deleted_at is null) w where (w.value, w.id) > (+?, +?) order by w.value, w.id limit +?
  -- [2,9,3]

# name_length, everything, after undefined
select w.id as item, w.value as value from (select o.*, length(o.name) as value from item o where o.deleted_at is null) w where w.id <= 99 order by w.value, w.id limit +?
  -- [3]

# name_length, everything, after {"value":2}
select w.id as item, w.value as value from (select o.*, length(o.name) as value from item o where o.deleted_at is null) w where w.value > +? order by w.value, w.id limit +?
  -- [2,3]

# name_length, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.*, length(o.name) as value from item o where o.deleted_at is null) w where (w.value, w.id) > (+?, +?) order by w.value, w.id limit +?
  -- [2,9,3]

# number, everything, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.id <= 99 order by w.value, w.id limit +?
  -- [12,3]

# number, everything, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.value > +? order by w.value, w.id limit +?
  -- [12,2,3]

# number, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and (w.value, w.id) > (+?, +?) order by w.value, w.id limit +?
  -- [12,2,9,3]

# number, a tag, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) order by w.value, w.id limit +?
  -- [12,0,7,3]

# number, a tag, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.value > +? and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) order by w.value, w.id limit +?
  -- [12,2,0,7,3]

# number, a tag, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) order by w.value, w.id limit +?
  -- [12,2,9,0,7,3]

# number, a name, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < '' and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by w.value, w.id limit +?
  -- [12,"a",3]

# number, a name, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < '' and w.value > +? and (w.id & 1023 or goes_on(w.id)) and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by w.value, w.id limit +?
  -- [12,2,"a",3]

# number, a name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < '' and (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by w.value, w.id limit +?
  -- [12,2,9,"a",3]

# number, a range of the number, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value >= +? and w.value < +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < +?) order by w.value, w.id limit +?
  -- [12,1,3,12,1,3,3]

# number, a range of the number, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and w.value > +? and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < +?) order by w.value, w.id limit +?
  -- [12,3,2,12,1,3,3]

# number, a range of the number, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < +?) order by w.value, w.id limit +?
  -- [12,3,2,9,12,1,3,3]

# number, numbers from one on, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value >= +? and w.value < '' and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < '')) order by w.value, w.id limit +?
  -- [12,1,0,7,12,1,3]

# number, numbers from one on, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.value > +? and (w.id & 1023 or goes_on(w.id)) and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < '')) order by w.value, w.id limit +?
  -- [12,2,0,7,12,1,3]

# number, numbers from one on, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < '')) order by w.value, w.id limit +?
  -- [12,2,9,0,7,12,1,3]

# number, numbers after one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value > +? and w.value < '' and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val > +? and +v.val < '')) order by w.value, w.id limit +?
  -- [12,1,0,7,12,1,3]

# number, numbers after one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.value > +? and (w.id & 1023 or goes_on(w.id)) and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val > +? and +v.val < '')) order by w.value, w.id limit +?
  -- [12,2,0,7,12,1,3]

# number, numbers after one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val > +? and +v.val < '')) order by w.value, w.id limit +?
  -- [12,2,9,0,7,12,1,3]

# number, numbers up to one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value <= +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val <= +?) order by w.value, w.id limit +?
  -- [12,1,12,1,3]

# number, numbers up to one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value <= +? and w.value > +? and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val <= +?) order by w.value, w.id limit +?
  -- [12,1,2,12,1,3]

# number, numbers up to one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value <= +? and (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val <= +?) order by w.value, w.id limit +?
  -- [12,1,2,9,12,1,3]

# number, numbers before one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val < +?) order by w.value, w.id limit +?
  -- [12,1,12,1,3]

# number, numbers before one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and w.value > +? and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val < +?) order by w.value, w.id limit +?
  -- [12,1,2,12,1,3]

# number, numbers before one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val < +?) order by w.value, w.id limit +?
  -- [12,1,2,9,12,1,3]

# number, a range of the name, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < '' and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and (+i.name >= +? and +i.name < +?) order by w.value, w.id limit +?
  -- [12,"a","b",3]

# number, a range of the name, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < '' and w.value > +? and (w.id & 1023 or goes_on(w.id)) and (+i.name >= +? and +i.name < +?) order by w.value, w.id limit +?
  -- [12,2,"a","b",3]

# number, a range of the name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < '' and (w.value, w.id) > (+?, +?) and (w.id & 1023 or goes_on(w.id)) and (+i.name >= +? and +i.name < +?) order by w.value, w.id limit +?
  -- [12,2,9,"a","b",3]

# number, a referred range, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and goes_on(w.id) and w.id <= 99 and exists (select 1 from field_value r0 where r0.field = +? and r0.val = +w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val >= +? and +v.val < +?) limit 1) order by w.value, w.id limit +?
  -- [12,19,12,1,3,3]

# number, a referred range, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.value > +? and goes_on(w.id) and exists (select 1 from field_value r0 where r0.field = +? and r0.val = +w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val >= +? and +v.val < +?) limit 1) order by w.value, w.id limit +?
  -- [12,2,19,12,1,3,3]

# number, a referred range, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and (w.value, w.id) > (+?, +?) and goes_on(w.id) and exists (select 1 from field_value r0 where r0.field = +? and r0.val = +w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val >= +? and +v.val < +?) limit 1) order by w.value, w.id limit +?
  -- [12,2,9,19,12,1,3,3]

# number backwards, everything, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.id <= 99 order by w.value desc, w.id desc limit +?
  -- [12,3]

# number backwards, everything, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? order by w.value desc, w.id desc limit +?
  -- [12,2,3]

# number backwards, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where (w.value, w.id) < (+?, +?) order by w.value desc, w.id desc limit +?
  -- [12,2,9,3]

# number backwards, a tag, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) order by w.value desc, w.id desc limit +?
  -- [12,0,7,3]

# number backwards, a tag, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) order by w.value desc, w.id desc limit +?
  -- [12,2,0,7,3]

# number backwards, a tag, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) order by w.value desc, w.id desc limit +?
  -- [12,2,9,0,7,3]

# number backwards, a name, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < '' and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by w.value desc, w.id desc limit +?
  -- [12,"a",3]

# number backwards, a name, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < +? and (w.id & 1023 or goes_on(w.id)) and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by w.value desc, w.id desc limit +?
  -- [12,2,"a",3]

# number backwards, a name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by w.value desc, w.id desc limit +?
  -- [12,2,9,"a",3]

# number backwards, a range of the number, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and w.value >= +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < +?) order by w.value desc, w.id desc limit +?
  -- [12,3,1,12,1,3,3]

# number backwards, a range of the number, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value >= +? and w.value < +? and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < +?) order by w.value desc, w.id desc limit +?
  -- [12,1,2,12,1,3,3]

# number backwards, a range of the number, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value >= +? and (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < +?) order by w.value desc, w.id desc limit +?
  -- [12,1,2,9,12,1,3,3]

# number backwards, numbers from one on, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.value >= +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < '')) order by w.value desc, w.id desc limit +?
  -- [12,1,0,7,12,1,3]

# number backwards, numbers from one on, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value >= +? and w.value < +? and (w.id & 1023 or goes_on(w.id)) and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < '')) order by w.value desc, w.id desc limit +?
  -- [12,1,2,0,7,12,1,3]

# number backwards, numbers from one on, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value >= +? and (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val >= +? and +v.val < '')) order by w.value desc, w.id desc limit +?
  -- [12,1,2,9,0,7,12,1,3]

# number backwards, numbers after one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.value > +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val > +? and +v.val < '')) order by w.value desc, w.id desc limit +?
  -- [12,1,0,7,12,1,3]

# number backwards, numbers after one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value > +? and w.value < +? and (w.id & 1023 or goes_on(w.id)) and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val > +? and +v.val < '')) order by w.value desc, w.id desc limit +?
  -- [12,1,2,0,7,12,1,3]

# number backwards, numbers after one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value > +? and (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and (exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val > +? and +v.val < '')) order by w.value desc, w.id desc limit +?
  -- [12,1,2,9,0,7,12,1,3]

# number backwards, numbers up to one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value <= +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val <= +?) order by w.value desc, w.id desc limit +?
  -- [12,1,12,1,3]

# number backwards, numbers up to one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val <= +?) order by w.value desc, w.id desc limit +?
  -- [12,2,12,1,3]

# number backwards, numbers up to one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val <= +?) order by w.value desc, w.id desc limit +?
  -- [12,2,9,12,1,3]

# number backwards, numbers before one, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val < +?) order by w.value desc, w.id desc limit +?
  -- [12,1,12,1,3]

# number backwards, numbers before one, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val < +?) order by w.value desc, w.id desc limit +?
  -- [12,2,12,1,3]

# number backwards, numbers before one, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val < +?) order by w.value desc, w.id desc limit +?
  -- [12,2,9,12,1,3]

# number backwards, a range of the name, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < '' and (w.id & 1023 or goes_on(w.id)) and w.id <= 99 and (+i.name >= +? and +i.name < +?) order by w.value desc, w.id desc limit +?
  -- [12,"a","b",3]

# number backwards, a range of the name, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and w.value < +? and (w.id & 1023 or goes_on(w.id)) and (+i.name >= +? and +i.name < +?) order by w.value desc, w.id desc limit +?
  -- [12,2,"a","b",3]

# number backwards, a range of the name, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w cross join item i where i.id = w.id and (w.value, w.id) < (+?, +?) and (w.id & 1023 or goes_on(w.id)) and (+i.name >= +? and +i.name < +?) order by w.value desc, w.id desc limit +?
  -- [12,2,9,"a","b",3]

# number backwards, a referred range, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and goes_on(w.id) and w.id <= 99 and exists (select 1 from field_value r0 where r0.field = +? and r0.val = +w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val >= +? and +v.val < +?) limit 1) order by w.value desc, w.id desc limit +?
  -- [12,19,12,1,3,3]

# number backwards, a referred range, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < +? and goes_on(w.id) and exists (select 1 from field_value r0 where r0.field = +? and r0.val = +w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val >= +? and +v.val < +?) limit 1) order by w.value desc, w.id desc limit +?
  -- [12,2,19,12,1,3,3]

# number backwards, a referred range, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where (w.value, w.id) < (+?, +?) and goes_on(w.id) and exists (select 1 from field_value r0 where r0.field = +? and r0.val = +w.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val >= +? and +v.val < +?) limit 1) order by w.value desc, w.id desc limit +?
  -- [12,2,9,19,12,1,3,3]

# text, everything, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < x'' and w.id <= 99 order by w.value, w.id limit +?
  -- [11,3]

# text, everything, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < x'' and w.value > +? order by w.value, w.id limit +?
  -- [11,2,3]

# text, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < x'' and (w.value, w.id) > (+?, +?) order by w.value, w.id limit +?
  -- [11,2,9,3]

# next, everything, after undefined
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.id <= 99 order by w.value, w.id limit +?
  -- [19,3]

# next, everything, after {"value":2}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and w.value > +? order by w.value, w.id limit +?
  -- [19,2,3]

# next, everything, after {"value":2,"item":9}
select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' and (w.value, w.id) > (+?, +?) order by w.value, w.id limit +?
  -- [19,2,9,3]
