{"filter":{"has_tag":"Task"},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s order by item asc limit +?
-- [0,2,51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
