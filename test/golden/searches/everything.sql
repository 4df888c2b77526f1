{"limit":50}

select i.id as item from item i where i.deleted_at is null order by i.id asc limit +?
-- [51]
--   SCAN i
