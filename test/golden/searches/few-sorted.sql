{"limit":50,"sort":[{"by":"Task.due","direction":"asc"}],"filter":{"Task.owner":"owner 7"}}

with s as materialized (select m.item, (select o.val from field_value o where o.item = m.item and o.field = +? and +o.val < x'') as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s) m) select s.item as item from s order by s.k0 is null, s.k0, s.item limit +?
-- [4,2,"owner 7",51]
--   MATERIALIZE s
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH o USING COVERING INDEX field_value_item (item=? AND field=?)
--   SCAN s
--   USE TEMP B-TREE FOR ORDER BY
