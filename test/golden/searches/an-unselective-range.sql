{"filter":{"Task.points":{"gte":2}},"limit":50}

select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) s where (s.id & 1023 or goes_on(s.id)) and s.id <= +? and exists (select 1 from field_value v where v.item = s.id and v.field = +? and +v.val >= +? and +v.val < '') order by item asc limit +?
-- [0,2,510,3,2,51]
--   SEARCH v USING PRIMARY KEY (field=? AND val=? AND item<?)
--   SEARCH v EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
