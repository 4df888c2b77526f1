{"limit":50,"sort":[{"by":"updated_at","direction":"desc"}],"filter":{"has_tag":"Task"}}

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r limit $3) c
-- [0,2,301]

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r limit $3) c
-- [0,2,501]

select w.id as item, w.value as value from (select o.*, o.updated_at as value from item o where o.deleted_at is null) w where exists (select 1 from field_value v where v.item = w.id and v.field = $1 and (v.ref + 0) = $2 offset 0) order by w.value desc, w.id desc limit $3
-- [0,2,51]
