{"filter":{"or":[{"Task.owner":"owner 7"},{"name":"item 9"}]},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s union select s.id as item from (select r.item as id from (select n.id as item from item n where n.deleted_at is null and n.name = +?) r) s order by item asc limit +?
-- [2,"owner 7","item 9",51]
--   MERGE (UNION)
--   LEFT
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   RIGHT
--   SEARCH n USING INDEX item_name (name=?)
