{"limit":50,"sort":[{"by":"Task.due","direction":"desc"}],"filter":{"Task.status":"Open"}}

select w.id as item, w.value as value from (select o.item as id, o.val as value from field_value o where o.field = +?) w where w.value < x'' and (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) order by w.value desc, w.id desc limit +?
-- [4,1,"Open",51]
--   SEARCH o USING PRIMARY KEY (field=? AND val<?)
--   SEARCH v EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
