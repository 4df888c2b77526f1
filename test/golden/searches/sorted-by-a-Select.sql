{"limit":50,"sort":[{"by":"Task.status","direction":"desc"}]}

select s.id as item from (select r.item as id from (select e.item as item from field_value e where e.field = +? and e.val = +?) r) s order by item desc limit +?
-- [1,"Done",51]
--   SEARCH e USING PRIMARY KEY (field=? AND val=?)
