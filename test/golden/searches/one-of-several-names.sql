{"filter":{"name":{"in":["item 9","item 10"]}},"limit":50}

select s.id as item from (select r.item as id from (select n.id as item from item n where n.deleted_at is null and n.name = +?) r) s union select s.id as item from (select r.item as id from (select n.id as item from item n where n.deleted_at is null and n.name = +?) r) s order by item asc limit +?
-- ["item 9","item 10",51]
--   MERGE (UNION)
--   LEFT
--   SEARCH n USING INDEX item_name (name=?)
--   RIGHT
--   SEARCH n USING INDEX item_name (name=?)
