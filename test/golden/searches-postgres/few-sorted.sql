{"limit":50,"sort":[{"by":"Task.due","direction":"asc"}],"filter":{"Task.owner":"owner 7"}}

with s as materialized (select m.item, (select o.text from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $2 and v.text = $3) r) s) m) select s.item as item from s order by s.k0 is null, s.k0, s.item limit $4
-- [4,2,"owner 7",51]
