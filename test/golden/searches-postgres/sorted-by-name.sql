{"limit":50,"sort":[{"by":"name","direction":"asc"}]}

select w.id as item, w.value as value from (select o.*, left(o.name, 501) as value from item o where o.deleted_at is null) w order by w.value, w.id limit $1
-- [51]
