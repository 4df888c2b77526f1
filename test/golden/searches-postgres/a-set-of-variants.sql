{"filter":{"Task.labels":{"eq":["home","work"]}},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r) s where ((select count(*) from field_value v where v.item = s.id and v.field = $3) = $4 and (select count(*) from field_value v where v.item = s.id and v.field = $5 and (v.text || '') = any($6::text[])) = $7) order by item asc limit $8
-- [6,"home",6,2,6,["home","work"],2,51]
