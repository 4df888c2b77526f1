{"filter":{"Task.points":{"gte":2}},"limit":50}

select i.id as item from item i where i.deleted_at is null and i.id <= ? and exists (select 1 from field_value v where v.item = i.id and v.field = ? and +v.val >= ? and +v.val < '') order by i.id asc limit ?
-- [510,3,2,51]
--   SEARCH i USING INTEGER PRIMARY KEY (rowid<?)
--   SEARCH v EXISTS USING COVERING INDEX field_value_item (item=? AND field=?)
