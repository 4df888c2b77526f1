{"limit":50,"sort":[{"by":"updated_at","direction":"desc"}],"filter":{"has_tag":"Task"}}

select case when exists (select 1 from (select v.item as item from field_value v where v.field = +? and v.val = +?) r limit 1 offset +?) then +? else (select count(*) from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) end as n
-- [0,2,300,301,0,2]
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCALAR SUBQUERY 4
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)

select case when exists (select 1 from (select v.item as item from field_value v where v.field = +? and v.val = +?) r limit 1 offset +?) then +? else (select count(*) from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) end as n
-- [0,2,500,501,0,2]
--   SCAN CONSTANT ROW
--   SCALAR SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCALAR SUBQUERY 4
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)

select w.id as item, w.value as value from (select o.*, o.updated_at as value from item o where o.deleted_at is null) w where (w.id & 1023 or goes_on(w.id)) and exists (select 1 from field_value v where v.item = w.id and v.field = +? and +v.val = +?) order by w.value desc, w.id desc limit +?
-- [0,2,51]
--   SCAN o USING INDEX item_updated
--   SEARCH v EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
