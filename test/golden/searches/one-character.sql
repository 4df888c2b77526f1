{"filter":{"search":"x"},"limit":50}

select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))) order by i.id asc limit +?
-- ["x","x",51]
--   SCAN i
--   SEARCH t EXISTS USING INTEGER PRIMARY KEY (rowid=?)
