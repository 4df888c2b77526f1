{"filter":{"Task.owner":{"starts_with":"owner 12"}},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id <= $3 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.text || '') >= $5 and (v.text || '') < $6 offset 0) order by item asc limit $7
-- [0,2,510,2,"owner 12","owner 13",51]

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3) r limit $4) c
-- [2,"owner 12","owner 13",501]

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3) r) s order by item asc limit $4
-- [2,"owner 12","owner 13",51]
