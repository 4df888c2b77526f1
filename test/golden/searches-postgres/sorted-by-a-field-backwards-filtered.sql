{"limit":50,"sort":[{"by":"Task.due","direction":"desc"}],"filter":{"Task.status":"Open"}}

select w.id as item, w.value as value from (select o.item as id, o.text as value from field_value o where o.field = $1) w where w.value is not null and exists (select 1 from field_value v where v.item = w.id and v.field = $2 and (v.text || '') = $3 offset 0) order by w.value desc, w.id desc limit $4
-- [4,1,"Open",51]
