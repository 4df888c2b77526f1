# all items
select i.id as item from item i where i.deleted_at is null

# all items, a page
select i.id as item from item i where i.deleted_at is null order by i.id asc limit +?
  -- [3]

# all items, a page backwards
select i.id as item from item i where i.deleted_at is null and i.id < +? order by i.id desc
  -- [50]

# all items, a page after another
select i.id as item from item i where i.deleted_at is null and i.id > +? order by i.id asc limit +?
  -- [50,3]

# all items by a row of theirs
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0))
  -- ["a"]

# all items by a row of theirs, a page
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by i.id asc limit +?
  -- ["a",3]

# all items by a row of theirs, a page backwards
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and i.id < +? and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by i.id desc
  -- [50,"a"]

# all items by a row of theirs, a page after another
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and i.id > +? and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by i.id asc limit +?
  -- [50,"a",3]

# all items that a hop needs a tag of
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = s.id and h0.field = +? and i0.deleted_at is null and true)
  -- [0,7,19]

# all items that a hop needs a tag of, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = s.id and h0.field = +? and i0.deleted_at is null and true) order by item asc limit +?
  -- [0,7,19,3]

# all items that a hop needs a tag of, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id < +? and exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = s.id and h0.field = +? and i0.deleted_at is null and true) order by item desc
  -- [0,7,50,19]

# all items that a hop needs a tag of, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id > +? and exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = s.id and h0.field = +? and i0.deleted_at is null and true) order by item asc limit +?
  -- [0,7,50,19,3]

# all items that a value needs a tag of
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')
  -- [0,7,12,1]

# all items that a value needs a tag of, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '') order by item asc limit +?
  -- [0,7,12,1,3]

# all items that a value needs a tag of, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id < +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '') order by item desc
  -- [0,7,50,12,1]

# all items that a value needs a tag of, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id > +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '') order by item asc limit +?
  -- [0,7,50,12,1,3]

# all items of which one part needs a tag
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s cross join item i where i.id = s.id and (s.id & 1023 or goes_on(s.id)) and ((+i.name = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < ''))
  -- [0,7,"a",12,1]

# all items of which one part needs a tag, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s cross join item i where i.id = s.id and (s.id & 1023 or goes_on(s.id)) and ((+i.name = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '')) order by item asc limit +?
  -- [0,7,"a",12,1,3]

# all items of which one part needs a tag, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s cross join item i where i.id = s.id and (s.id & 1023 or goes_on(s.id)) and s.id < +? and ((+i.name = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '')) order by item desc
  -- [0,7,50,"a",12,1]

# all items of which one part needs a tag, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s cross join item i where i.id = s.id and (s.id & 1023 or goes_on(s.id)) and s.id > +? and ((+i.name = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '')) order by item asc limit +?
  -- [0,7,50,"a",12,1,3]

# all items without a value
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and not exists (select 1 from field_value v where v.item = i.id and v.field = +?)
  -- [12]

# all items without a value, a page
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and not exists (select 1 from field_value v where v.item = i.id and v.field = +?) order by i.id asc limit +?
  -- [12,3]

# all items without a value, a page backwards
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and i.id < +? and not exists (select 1 from field_value v where v.item = i.id and v.field = +?) order by i.id desc
  -- [50,12]

# all items without a value, a page after another
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and i.id > +? and not exists (select 1 from field_value v where v.item = i.id and v.field = +?) order by i.id asc limit +?
  -- [50,12,3]

# all items with another value or none
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and not exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [13,1]

# all items with another value or none, a page
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and not exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) order by i.id asc limit +?
  -- [13,1,3]

# all items with another value or none, a page backwards
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and i.id < +? and not exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) order by i.id desc
  -- [50,13,1]

# all items with another value or none, a page after another
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and i.id > +? and not exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) order by i.id asc limit +?
  -- [50,13,1,3]

# all items with another value
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and (+v.val = +?) is not true)
  -- [0,7,13,1]

# all items with another value, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and (+v.val = +?) is not true) order by item asc limit +?
  -- [0,7,13,1,3]

# all items with another value, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id < +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and (+v.val = +?) is not true) order by item desc
  -- [0,7,50,13,1]

# all items with another value, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id > +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and (+v.val = +?) is not true) order by item asc limit +?
  -- [0,7,50,13,1,3]

# all items by three conditions
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)))
  -- [0,7,0,8,0,9]

# all items by three conditions, a page
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))) order by i.id asc limit +?
  -- [0,7,0,8,0,9,3]

# all items by three conditions, a page backwards
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and i.id < +? and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))) order by i.id desc
  -- [50,0,7,0,8,0,9]

# all items by three conditions, a page after another
select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and i.id > +? and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))) order by i.id asc limit +?
  -- [50,0,7,0,8,0,9,3]

# all items by four conditions
select i.id as item from item i where i.deleted_at is null and (i.id & 63 or goes_on(i.id)) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)))
  -- [0,6,0,7,0,8,0,9]

# all items by four conditions, a page
select i.id as item from item i where i.deleted_at is null and (i.id & 63 or goes_on(i.id)) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))) order by i.id asc limit +?
  -- [0,6,0,7,0,8,0,9,3]

# all items by four conditions, a page backwards
select i.id as item from item i where i.deleted_at is null and (i.id & 63 or goes_on(i.id)) and i.id < +? and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))) order by i.id desc
  -- [50,0,6,0,7,0,8,0,9]

# all items by four conditions, a page after another
select i.id as item from item i where i.deleted_at is null and (i.id & 63 or goes_on(i.id)) and i.id > +? and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))) order by i.id asc limit +?
  -- [50,0,6,0,7,0,8,0,9,3]

# all items by sixty-four conditions
select i.id as item from item i where i.deleted_at is null and (i.id & 63 or goes_on(i.id)) and ((((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))))) and (((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))))))
  -- [0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,0,33,0,34,0,35,0,36,0,37,0,38,0,39,0,40,0,41,0,42,0,43,0,44,0,45,0,46,0,47,0,48,0,49,0,50,0,51,0,52,0,53,0,54,0,55,0,56,0,57,0,58,0,59,0,60,0,61,0,62,0,63,0,64]

# all items by sixty-four conditions, a page
select i.id as item from item i where i.deleted_at is null and (i.id & 63 or goes_on(i.id)) and ((((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))))) and (((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))))) order by i.id asc limit +?
  -- [0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,0,33,0,34,0,35,0,36,0,37,0,38,0,39,0,40,0,41,0,42,0,43,0,44,0,45,0,46,0,47,0,48,0,49,0,50,0,51,0,52,0,53,0,54,0,55,0,56,0,57,0,58,0,59,0,60,0,61,0,62,0,63,0,64,3]

# all items by sixty-four conditions, a page backwards
select i.id as item from item i where i.deleted_at is null and (i.id & 63 or goes_on(i.id)) and i.id < +? and ((((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))))) and (((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))))) order by i.id desc
  -- [50,0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,0,33,0,34,0,35,0,36,0,37,0,38,0,39,0,40,0,41,0,42,0,43,0,44,0,45,0,46,0,47,0,48,0,49,0,50,0,51,0,52,0,53,0,54,0,55,0,56,0,57,0,58,0,59,0,60,0,61,0,62,0,63,0,64]

# all items by sixty-four conditions, a page after another
select i.id as item from item i where i.deleted_at is null and (i.id & 63 or goes_on(i.id)) and i.id > +? and ((((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))))) and (((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))))) order by i.id asc limit +?
  -- [50,0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,0,33,0,34,0,35,0,36,0,37,0,38,0,39,0,40,0,41,0,42,0,43,0,44,0,45,0,46,0,47,0,48,0,49,0,50,0,51,0,52,0,53,0,54,0,55,0,56,0,57,0,58,0,59,0,60,0,61,0,62,0,63,0,64,3]

# one index and three conditions
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and ((exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)))
  -- [0,5,0,5,0,7,0,8,0,9]

# one index and three conditions, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and ((exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?))) order by item asc limit +?
  -- [0,5,0,5,0,7,0,8,0,9,3]

# one index and three conditions, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id < +? and ((exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?))) order by item desc
  -- [0,5,50,0,5,0,7,0,8,0,9]

# one index and three conditions, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id > +? and ((exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?))) order by item asc limit +?
  -- [0,5,50,0,5,0,7,0,8,0,9,3]

# all near items
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id <= 99 and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')
  -- [0,7,12,1]

# all near items, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id <= 99 and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '') order by item asc limit +?
  -- [0,7,12,1,3]

# all near items, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id < +? and s.id <= 99 and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '') order by item desc
  -- [0,7,50,12,1]

# all near items, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id > +? and s.id <= 99 and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '') order by item asc limit +?
  -- [0,7,50,12,1,3]

# one index
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)
  -- [0,7,0,7]

# one index, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) order by item asc limit +?
  -- [0,7,0,7,3]

# one index, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id < +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) order by item desc
  -- [0,7,50,0,7]

# one index, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id > +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) order by item asc limit +?
  -- [0,7,50,0,7,3]

# one index and a probe
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < ''))
  -- [0,7,0,7,12,1]

# one index and a probe, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) order by item asc limit +?
  -- [0,7,0,7,12,1,3]

# one index and a probe, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id < +? and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) order by item desc
  -- [0,7,50,0,7,12,1]

# one index and a probe, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id > +? and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) order by item asc limit +?
  -- [0,7,50,0,7,12,1,3]

# one index and two probes
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s cross join item i where i.id = s.id and (s.id & 63 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '') and (+i.name = +?)))
  -- [0,7,0,7,12,1,"a"]

# one index and two probes, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s cross join item i where i.id = s.id and (s.id & 63 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '') and (+i.name = +?))) order by item asc limit +?
  -- [0,7,0,7,12,1,"a",3]

# one index and two probes, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s cross join item i where i.id = s.id and (s.id & 63 or goes_on(s.id)) and s.id < +? and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '') and (+i.name = +?))) order by item desc
  -- [0,7,50,0,7,12,1,"a"]

# one index and two probes, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s cross join item i where i.id = s.id and (s.id & 63 or goes_on(s.id)) and s.id > +? and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '') and (+i.name = +?))) order by item asc limit +?
  -- [0,7,50,0,7,12,1,"a",3]

# one index that is not exact
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and v.val = x'00')
  -- [19,19]

# one index that is not exact, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and v.val = x'00') order by item asc limit +?
  -- [19,19,3]

# one index that is not exact, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id < +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and v.val = x'00') order by item desc
  -- [19,50,19]

# one index that is not exact, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id > +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and v.val = x'00') order by item asc limit +?
  -- [19,50,19,3]

# an index with an item several times
select distinct s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +?)
  -- [18,18]

# an index with an item several times, a page
select distinct s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +?) order by item asc limit +?
  -- [18,18,3]

# an index with an item several times, a page backwards
select distinct s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id < +? and exists (select 1 from field_value v where v.item = s.id and v.field = +?) order by item desc
  -- [18,50,18]

# an index with an item several times, a page after another
select distinct s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id > +? and exists (select 1 from field_value v where v.item = s.id and v.field = +?) order by item asc limit +?
  -- [18,50,18,3]

# a union
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val in (select value from json_each(+?))) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) union select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val in (select value from json_each(+?))) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < ''))
  -- [0,7,0,"[7,8]",12,1,0,8,0,"[7,8]",12,1]

# a union, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val in (select value from json_each(+?))) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) union select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val in (select value from json_each(+?))) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) order by item asc limit +?
  -- [0,7,0,"[7,8]",12,1,0,8,0,"[7,8]",12,1,3]

# a union, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id < +? and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val in (select value from json_each(+?))) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) union select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id < +? and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val in (select value from json_each(+?))) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) order by item desc
  -- [0,7,50,0,"[7,8]",12,1,0,8,50,0,"[7,8]",12,1]

# a union, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id > +? and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val in (select value from json_each(+?))) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) union select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id > +? and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val in (select value from json_each(+?))) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < '')) order by item asc limit +?
  -- [0,7,50,0,"[7,8]",12,1,0,8,50,0,"[7,8]",12,1,3]

# an intersection
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)) intersect select s.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) s order by item
  -- [0,7,0,7,0,8,0,8]

# an intersection, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)) intersect select s.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) s order by item asc limit +?
  -- [0,7,0,7,0,8,0,8,3]

# an intersection, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id < +? and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)) intersect select s.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) s where s.item < +? order by item desc
  -- [0,7,50,0,7,0,8,0,8,50]

# an intersection, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id > +? and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?)) intersect select s.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) s where s.item > +? order by item asc limit +?
  -- [0,7,50,0,7,0,8,0,8,50,3]

# an intersection and a probe
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id <= 99 and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < ''))) intersect select s.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) s where s.item <= 99 order by item
  -- [0,7,0,7,0,8,12,1,0,8]

# an intersection and a probe, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id <= 99 and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < ''))) intersect select s.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) s where s.item <= 99 order by item asc limit +?
  -- [0,7,0,7,0,8,12,1,0,8,3]

# an intersection and a probe, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id < +? and s.id <= 99 and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < ''))) intersect select s.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) s where s.item < +? and s.item <= 99 order by item desc
  -- [0,7,50,0,7,0,8,12,1,0,8,50]

# an intersection and a probe, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 63 or goes_on(s.id)) and s.id > +? and s.id <= 99 and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and (exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val > +? and +v.val < ''))) intersect select s.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) s where s.item > +? and s.item <= 99 order by item asc limit +?
  -- [0,7,50,0,7,0,8,12,1,0,8,50,3]
