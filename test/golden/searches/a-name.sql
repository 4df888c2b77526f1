{"filter":{"name":"item 9"},"limit":50}

select s.id as item from (select r.item as id from (select n.id as item from item n where n.deleted_at is null and n.name = +?) r) s order by item asc limit +?
-- ["item 9",51]
--   SEARCH n USING INDEX item_name (name=?)
