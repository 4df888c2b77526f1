{"filter":{"search":"item 27"},"limit":50}

select s.id as item from (select r.item as id from (select rowid as item from item_trigram where item_trigram match +?) r) s order by item asc limit +?
-- ["\"item 27\"",51]
--   SCAN item_trigram VIRTUAL TABLE INDEX 64:M2
