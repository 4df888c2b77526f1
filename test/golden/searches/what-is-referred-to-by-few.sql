{"filter":{"<-Note.about":{"Note.by":"person 7"}},"limit":50}

select s.id as item from (select r.item as id from (with recursive target(id, n) as (select (select min(v.val) from field_value v where v.field = +? and v.val < ''), 1 union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id), target.n + 1 from target where target.id is not null and target.n < +?) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null) r) s where goes_on(s.id) and exists (select 1 from field_value r0 where r0.field = +? and r0.val = +s.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val = +?) limit 1) order by item asc limit +?
-- [8,8,153,8,9,"person 7",51]
--   CO-ROUTINE target
--   SETUP
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 1
--   SEARCH v USING PRIMARY KEY (field=? AND val<?)
--   RECURSIVE STEP
--   SCAN target
--   CORRELATED SCALAR SUBQUERY 3
--   SEARCH v USING PRIMARY KEY (field=? AND val>? AND val<?)
--   SCAN target
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY 8
--   SEARCH r0 USING PRIMARY KEY (field=? AND val=?)
--   SEARCH v EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
--   USE TEMP B-TREE FOR ORDER BY

select count(*) as n from (select 1 from (with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null) r limit +?) c
-- [8,8,301]
--   CO-ROUTINE c
--   CO-ROUTINE target
--   SETUP
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 1
--   SEARCH v USING PRIMARY KEY (field=? AND val<?)
--   RECURSIVE STEP
--   SCAN target
--   CORRELATED SCALAR SUBQUERY 3
--   SEARCH v USING PRIMARY KEY (field=? AND val>? AND val<?)
--   SCAN target
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN c

select count(*) as n from (select 1 from (with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null) r limit +?) c
-- [8,8,501]
--   CO-ROUTINE c
--   CO-ROUTINE target
--   SETUP
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 1
--   SEARCH v USING PRIMARY KEY (field=? AND val<?)
--   RECURSIVE STEP
--   SCAN target
--   CORRELATED SCALAR SUBQUERY 3
--   SEARCH v USING PRIMARY KEY (field=? AND val>? AND val<?)
--   SCAN target
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN c

select count(*) as n from (select 1 from (select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null) r limit +?) c
-- [9,"person 7",8,501]
--   CO-ROUTINE c
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SEARCH v USING COVERING INDEX field_value_item (item=? AND field=?)
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   SCAN c

select distinct s.id as item from (select r.item as id from (select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null) r) s order by item asc limit +?
-- [9,"person 7",8,51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SEARCH v USING COVERING INDEX field_value_item (item=? AND field=?)
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   USE TEMP B-TREE FOR DISTINCT
