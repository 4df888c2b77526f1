{"filter":{"Task.owner":null},"limit":50}

select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and not exists (select 1 from field_value v where v.item = i.id and v.field = +?) order by i.id asc limit +?
-- [2,51]
--   SCAN i
--   CORRELATED SCALAR SUBQUERY 1
--   SEARCH v USING COVERING INDEX field_value_item (item=? AND field=?)
