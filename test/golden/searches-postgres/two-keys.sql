{"limit":50,"sort":[{"by":"Task.points"},{"by":"Task.due","direction":"desc"}]}

select w.id as item, w.value as value from (select o.item as id, o.num as value from field_value o where o.field = $1) w where w.value is not null order by w.value, w.id limit $2
-- [3,51]

select q.item as item from (select s.id as item from (select r.item as id from (select e.item as item from field_value e where e.field = $1 and e.num = $2) r) s) q limit $3
-- [3,0,501]

select w.id as item, w.value as value from (select o.item as id, o.text as value from field_value o where o.field = $1) w where w.value is not null and exists (select 1 from field_value e where e.item = w.id and e.field = $2 and (e.num + 0) = $3 offset 0) order by w.value desc, w.id desc limit $4
-- [4,3,0,51]
