{"filter":{"has_tag":"Task"},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s order by item asc limit $3
-- [0,2,51]
