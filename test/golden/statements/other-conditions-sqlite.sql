# a text
exists (select 1 from deleted_text t where t.id = item.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))
  -- ["abc","abc"]

# MultiSelect 18: the same set
((select count(*) from deleted_value v where v.item = item.id and v.field = +?) = +? and (select count(*) from deleted_value v where v.item = item.id and v.field = +? and +v.val in (select value from json_each(+?))) = +?)
  -- [18,2,18,"[\"home\",\"work\"]",2]

# a hop to a name
exists (select 1 from deleted_value h0 cross join item i0 on i0.id = h0.val where h0.item = item.id and h0.field = +? and i0.deleted_at is null and (+i0.name = +?))
  -- [19,"a"]

# a hop to a value
exists (select 1 from deleted_value h0 where h0.item = item.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +?))
  -- [19,12,1]

# referred to by a value
exists (select 1 from field_value r0 where r0.field = +? and r0.val = +item.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val = +?) limit 1)
  -- [19,12,1]

# Reference 19: dangling among some
exists (select 1 from deleted_value v where v.item = item.id and v.field = +? and +v.val < '' and not exists (select 1 from item target where target.id = +v.val and target.deleted_at is null and (+target.name = +?)))
  -- [19,"a"]

# of tags: a text
((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0))
  -- ["abc","abc"]

# of tags: nine texts
(((((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0)) or ((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0))) or (((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0)) or ((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0)))) or ((((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0)) or ((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0))) or (((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0)) or (((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0)) or ((typeof(tag.folded_name) = 'text' and (octet_length(tag.folded_name) < 65536 or goes_on()) and instr(tag.folded_name, +?) > 0) or (typeof(tag.folded_description) = 'text' and (octet_length(tag.folded_description) < 65536 or goes_on()) and instr(tag.folded_description, +?) > 0))))))
  -- ["text 1","text 1","text 2","text 2","text 3","text 3","text 4","text 4","text 5","text 5","text 6","text 6","text 7","text 7","text 8","text 8","text 9","text 9"]

# of tags: a name
(+tag.name = +?)
  -- ["a"]
