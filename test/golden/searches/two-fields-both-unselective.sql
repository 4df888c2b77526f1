{"filter":{"and":[{"Task.status":"Open"},{"Task.done":false}]},"limit":50}

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = ? and v.val = ?) r limit ?) c
-- [5,0,301]
--   CO-ROUTINE c
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCAN c

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = ? and v.val = ?) r limit ?) c
-- [1,"Open",501]
--   CO-ROUTINE c
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCAN c

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = ? and v.val = ?) r limit ?) c
-- [5,0,501]
--   CO-ROUTINE c
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCAN c

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = ? and v.val = ?) r) s intersect select s.item as item from (select v.item as item from field_value v where v.field = ? and v.val = ?) s order by item asc limit ?
-- [1,"Open",5,0,51]
--   MERGE (INTERSECT)
--   LEFT
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   RIGHT
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
