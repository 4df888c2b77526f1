{"filter":{"and":[{"Task.status":{"match":"Open"}},{"Task.owner":"owner 7"}]},"limit":50}

select case when exists (select 1 from (select v.item as item from field_value v where v.field = +? and v.val = +?) r limit 1 offset +?) then +? else (select count(*) from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) end as n
-- [1,"Open",300,301,1,"Open"]
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCALAR SUBQUERY 4
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)

select case when exists (select 1 from (select v.item as item from field_value v where v.field = +? and v.val = +?) r limit 1 offset +?) then +? else (select count(*) from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) end as n
-- [2,"owner 7",300,301,2,"owner 7"]
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCALAR SUBQUERY 4
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) order by item asc limit +?
-- [2,"owner 7",1,"Open",51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SEARCH v EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
