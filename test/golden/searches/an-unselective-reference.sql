{"filter":{"Task.parent->Task.status":"Open"},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id <= +? and exists (select 1 from field_value h0 where h0.item = s.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +?)) order by item asc limit +?
-- [0,2,510,7,1,"Open",51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=? AND item<?)
--   SEARCH h0 EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
--   CORRELATED SCALAR SUBQUERY 3
--   SEARCH v USING COVERING INDEX field_value_item (item=? AND field=?)

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = +? and v.val = +?) r limit +?) c
-- [1,"Open",2001]
--   CO-ROUTINE c
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCAN c

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)) r limit +?) c
-- [7,1,"Open",501]
--   CO-ROUTINE c
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   LIST SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCAN c

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)) r) s order by item asc limit +?
-- [7,1,"Open",51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   LIST SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   USE TEMP B-TREE FOR ORDER BY
