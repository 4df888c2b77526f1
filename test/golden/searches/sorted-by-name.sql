{"limit":50,"sort":[{"by":"name","direction":"asc"}]}

select w.id as item, w.value as value from (select o.*, o.name as value from item o where o.deleted_at is null) w order by w.value, w.id limit +?
-- [51]
--   SCAN o USING INDEX item_name
