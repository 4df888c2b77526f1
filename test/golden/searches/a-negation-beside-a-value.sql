{"filter":{"and":[{"Task.owner":"owner 7"},{"not":{"Task.status":"Open"}}]},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and not exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val = +?) order by item asc limit +?
-- [2,"owner 7",1,"Open",51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   CORRELATED SCALAR SUBQUERY 3
--   SEARCH v USING COVERING INDEX field_value_item (item=? AND field=?)
