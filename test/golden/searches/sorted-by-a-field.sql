{"limit":50,"sort":[{"by":"Task.due","direction":"asc"}]}

select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < x'' order by w.value, w.id limit +?
-- [4,51]
--   SEARCH o USING PRIMARY KEY (field=? AND val<?)
