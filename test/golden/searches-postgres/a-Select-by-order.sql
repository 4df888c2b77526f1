{"filter":{"Task.status":{"gt":"Open"}},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.text = $2) r) s union select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $3 and v.text = $4) r) s order by item asc limit $5
-- [1,"Ready",1,"Done",51]
