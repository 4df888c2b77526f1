{"filter":{"name":{"in":["item 9","item 10"]}},"limit":50}

select s.id as item from (select r.item as id from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1) r) s union select s.id as item from (select r.item as id from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $2) r) s order by item asc limit $3
-- ["item 9","item 10",51]
