{"filter":{"Task.labels":{"eq":["home","work"]}},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and ((select count(*) from field_value v where v.item = s.id and v.field = +?) = +? and (select count(*) from field_value v where v.item = s.id and v.field = +? and +v.val in (select value from json_each(+?))) = +?) order by item asc limit +?
-- [6,"home",6,2,6,"[\"home\",\"work\"]",2,51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=?)
--   CORRELATED SCALAR SUBQUERY 3
--   SEARCH v USING COVERING INDEX field_value_item (item=? AND field=?)
--   CORRELATED SCALAR SUBQUERY 5
--   SEARCH v USING COVERING INDEX field_value_item (item=? AND field=?)
--   LIST SUBQUERY 4
--   SCAN json_each VIRTUAL TABLE INDEX 1:
--   CREATE BLOOM FILTER
