{"filter":{"Task.parent->Task.status":"Open"},"limit":50}

select i.id as item from item i where i.deleted_at is null and i.id <= ? and exists (select 1 from field_value h0 where h0.item = i.id and h0.field = ? and exists (select 1 from field_value v where v.item = h0.val and v.field = ? and +v.val = ?)) order by i.id asc limit ?
-- [510,7,1,"Open",51]
--   SEARCH i USING INTEGER PRIMARY KEY (rowid<?)
--   SEARCH h0 EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH v USING COVERING INDEX field_value_item (item=? AND field=?)

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = ? and v.val = ?) r limit ?) c
-- [1,"Open",2001]
--   CO-ROUTINE c
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCAN c

select count(*) as n from (select 1 from (select v.item as item from field_value v where v.field = ? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = ? and v.val = ?) t)) r limit ?) c
-- [7,1,"Open",501]
--   CO-ROUTINE c
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   LIST SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   SCAN c

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = ? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = ? and v.val = ?) t)) r) s order by item asc limit ?
-- [7,1,"Open",51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   LIST SUBQUERY 2
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   USE TEMP B-TREE FOR ORDER BY
