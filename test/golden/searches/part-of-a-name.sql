{"filter":{"name":{"contains":"tem 1"}},"limit":50}

select i.id as item from item i where i.deleted_at is null and (i.id & 1023 or goes_on(i.id)) and ((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0)) order by i.id asc limit +?
-- ["tem 1",51]
--   SCAN i
