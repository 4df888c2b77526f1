{"filter":{"Task.points":{"gte":2}},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id <= $3 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.num + 0) >= $5 offset 0) order by item asc limit $6
-- [0,2,510,3,2,51]
