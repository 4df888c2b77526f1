{"filter":{"<-Task.parent":{"filter":{"Task.owner":"owner 7"},"count":{"gte":3}}},"limit":50}

select s.id as item from (select r.item as id from (with recursive target(id, n) as (select (select min(v.val) from field_value v where v.field = +? and v.val < ''), 1 union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id), target.n + 1 from target where target.id is not null and target.n < +?) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null) r) s where goes_on(s.id) and (select count(*) from (select 1 from field_value r0 where r0.field = +? and r0.val = +s.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val = +?) limit 3) c0) >= +? order by item asc limit +?
-- [7,7,153,7,2,"owner 7",3,51]
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
--   CORRELATED SCALAR SUBQUERY 9
--   CO-ROUTINE c0
--   SEARCH r0 USING PRIMARY KEY (field=? AND val=?)
--   SEARCH v EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
--   SCAN c0
--   USE TEMP B-TREE FOR ORDER BY

select count(*) as n from (select 1 from (with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null) r limit +?) c
-- [7,7,301]
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

select s.id as item from (select r.item as id from (with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null) r) s where goes_on(s.id) and (select count(*) from (select 1 from field_value r0 where r0.field = +? and r0.val = +s.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val = +?) limit 3) c0) >= +? order by item asc limit +?
-- [7,7,7,2,"owner 7",3,51]
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
--   CORRELATED SCALAR SUBQUERY 9
--   CO-ROUTINE c0
--   SEARCH r0 USING PRIMARY KEY (field=? AND val=?)
--   SEARCH v EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
--   SCAN c0
--   USE TEMP B-TREE FOR ORDER BY
