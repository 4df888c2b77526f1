{"filter":{"and":[{"Task.status":"Open"},{"Task.done":false}]},"limit":50}

select case when exists (select 1 from (select v.item as item from field_value v where v.field = +? and v.val = +?) r limit 1 offset +?) then +? else (select count(*) from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) end as n
-- [5,0,300,301,5,0]
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCALAR SUBQUERY 4
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)

select case when exists (select 1 from (select v.item as item from field_value v where v.field = +? and v.val = +?) r limit 1 offset +?) then +? else (select count(*) from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) end as n
-- [1,"Open",500,501,1,"Open"]
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCALAR SUBQUERY 4
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)

select case when exists (select 1 from (select v.item as item from field_value v where v.field = +? and v.val = +?) r limit 1 offset +?) then +? else (select count(*) from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) end as n
-- [5,0,500,501,5,0]
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCALAR SUBQUERY 4
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s intersect select s.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) s order by item asc limit +?
-- [1,"Open",5,0,51]
--   MERGE (INTERSECT)
--   LEFT
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   RIGHT
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
