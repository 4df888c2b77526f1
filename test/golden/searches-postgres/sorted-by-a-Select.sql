{"limit":50,"sort":[{"by":"Task.status","direction":"desc"}]}

select s.id as item from (select r.item as id from (select e.item as item from field_value e where e.field = $1 and e.text = $2) r) s order by item desc limit $3
-- [1,"Done",51]
