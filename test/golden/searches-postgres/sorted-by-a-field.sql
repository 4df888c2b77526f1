{"limit":50,"sort":[{"by":"Task.due","direction":"asc"}]}

select w.id as item, w.value as value from (select o.item as id, o.text as value from field_value o where o.field = $1) w where w.value is not null order by w.value, w.id limit $2
-- [4,51]
