{"limit":50,"sort":[{"by":"Task.points"},{"by":"Task.due","direction":"desc"}]}

select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < '' order by w.value, w.id limit +?
-- [3,51]
--   SEARCH o USING PRIMARY KEY (field=? AND val<?)

select q.item as item from (select s.id as item from (select r.item as id from (select e.item as item from field_value e where e.field = +? and e.val = +?) r) s) q limit +?
-- [3,0,501]
--   SEARCH e USING PRIMARY KEY (field=? AND val=?)

select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < x'' and exists (select 1 from field_value e where e.item = w.id and e.field = +? and +e.val = +?) order by w.value desc, w.id desc limit +?
-- [4,3,0,51]
--   SEARCH o USING PRIMARY KEY (field=? AND val<?)
--   SEARCH e EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
