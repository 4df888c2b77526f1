{"filter":{"Task.owner":{"starts_with":"owner 12"}},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id <= +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val >= +? and +v.val < +?) order by item asc limit +?
-- [0,2,510,2,"owner 12","owner 13",51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=? AND item<?)
--   SEARCH v EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)

select case when exists (select 1 from (select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?) r limit 1 offset +?) then +? else (select count(*) from (select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?) r) end as n
-- [2,"owner 12","owner 13",500,501,2,"owner 12","owner 13"]
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val>? AND val<?)
--   SCALAR SUBQUERY 4
--   SEARCH v USING PRIMARY KEY (field=? AND val>? AND val<?)

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?) r) s order by item asc limit +?
-- [2,"owner 12","owner 13",51]
--   SEARCH v USING PRIMARY KEY (field=? AND val>? AND val<?)
--   USE TEMP B-TREE FOR ORDER BY
