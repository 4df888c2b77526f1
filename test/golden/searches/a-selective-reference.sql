{"filter":{"Task.parent->name":"item 3"},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id <= +? and exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = s.id and h0.field = +? and i0.deleted_at is null and (+i0.name = +?)) order by item asc limit +?
-- [0,2,510,7,"item 3",51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=? AND item<?)
--   CORRELATED SCALAR SUBQUERY 3
--   SEARCH h0 USING COVERING INDEX field_value_item (item=? AND field=?)
--   SEARCH i0 USING INTEGER PRIMARY KEY (rowid=?)

select count(*) as n from (select 1 from (select n.id as item from item n where n.deleted_at is null and n.name = +?) r limit +?) c
-- ["item 3",2001]
--   CO-ROUTINE c
--   SEARCH n USING INDEX item_name (name=?)
--   SCAN c

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select n.id as item from item n where n.deleted_at is null and n.name = +?) t)) r limit +?) c
-- [7,"item 3",501]
--   CO-ROUTINE c
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   LIST SUBQUERY 2
--   SEARCH n USING INDEX item_name (name=?)
--   SCAN c

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select n.id as item from item n where n.deleted_at is null and n.name = +?) t)) r) s order by item asc limit +?
-- [7,"item 3",51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   LIST SUBQUERY 2
--   SEARCH n USING INDEX item_name (name=?)
--   USE TEMP B-TREE FOR ORDER BY
