# always
true

# never
false

# name: one of one
(+i.name = +?)
  -- ["a"]

# name: one of two
(+i.name in (select value from json_each(+?)))
  -- ["[\"a\",\"b\"]"]

# name: one of eight
(+i.name in (select value from json_each(+?)))
  -- ["[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\"]"]

# name: one of nine
(+i.name in (select value from json_each(+?)))
  -- ["[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]"]

# name: one of one long
(+i.name = +?)
  -- ["é×600"]

# name: one of two long
(+i.name in (select value from json_each(+?)))
  -- ["[\"é×600\",\"é×600x\",\"a\"]"]

# name: none of
((+i.name in (select value from json_each(+?))) is not true)
  -- ["[\"a\",\"b\"]"]

# name: none of long
((+i.name = +?) is not true)
  -- ["é×600"]

# name: from
(+i.name >= +? and +i.name < x'')
  -- ["a"]

# name: from long
(+i.name >= +? and +i.name < x'')
  -- ["é×600"]

# name: from long, or another
((+i.name >= +? and +i.name < x'' or +i.name = +?))
  -- ["é×600","b"]

# name: after
(+i.name > +? and +i.name < x'')
  -- ["a"]

# name: up to
(+i.name <= +?)
  -- ["b"]

# name: before
(+i.name < +?)
  -- ["b"]

# name: before long
(+i.name < +?)
  -- ["é×600"]

# name: between
(+i.name >= +? and +i.name < +?)
  -- ["a","b"]

# name: a midnight
((+i.name >= +? and +i.name < x'' or +i.name = +?))
  -- ["2024-01-01T00:00:00","2024-01-01"]

# name: no midnight
(+i.name > +? and +i.name < x'' and not +i.name = +?)
  -- ["2024-01-01","2024-01-01T00:00:00"]

# name: beginning
(+i.name >= +? and +i.name < +?)
  -- ["a","b"]

# name: beginning, long
(+i.name >= +? and +i.name < +?)
  -- ["é×600","é×599ê"]

# name: beginning with the last character
(+i.name >= +? and +i.name < +?)
  -- ["a􏿿","b"]

# name: part
((typeof(+i.name) = 'text' and (octet_length(+i.name) < 65536 or goes_on()) and instr(+i.name, +?) > 0))
  -- ["a"]

# description: present
i.description is not null

# description: absent
i.description is null

# description: one
(i.description is not null and +i.description = +?)
  -- ["a"]

# description: none
(i.description is not null and (+i.description = +?) is not true)
  -- ["a"]

# description: part
(i.description is not null and (typeof(+i.description) = 'text' and (octet_length(+i.description) < 65536 or goes_on()) and instr(+i.description, +?) > 0))
  -- ["a"]

# created_at: from
(+i.created_at >= +? and +i.created_at < x'')
  -- ["2024"]

# created_at: one
(+i.created_at = +?)
  -- ["2024"]

# created_at: absent
i.created_at is null

# String 11: one of one
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [11,"a"]

# String 11: one of two
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val in (select value from json_each(+?)))
  -- [11,"[\"a\",\"b\"]"]

# String 11: one of eight
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val in (select value from json_each(+?)))
  -- [11,"[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\"]"]

# String 11: one of nine
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val in (select value from json_each(+?)))
  -- [11,"[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]"]

# String 11: one of one long
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [11,"é×600"]

# String 11: one of two long
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val in (select value from json_each(+?)))
  -- [11,"[\"é×600\",\"é×600x\",\"a\"]"]

# String 11: none of
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val in (select value from json_each(+?))) is not true)
  -- [11,"[\"a\",\"b\"]"]

# String 11: none of long
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true)
  -- [11,"é×600"]

# String 11: from
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val >= +? and +v.val < x'')
  -- [11,"a"]

# String 11: from long
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val >= +? and +v.val < x'')
  -- [11,"é×600"]

# String 11: from long, or another
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val >= +? and +v.val < x'' or +v.val = +?))
  -- [11,"é×600","b"]

# String 11: after
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < x'')
  -- [11,"a"]

# String 11: up to
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val <= +?)
  -- [11,"b"]

# String 11: before
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val < +?)
  -- [11,"b"]

# String 11: before long
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val < +?)
  -- [11,"é×600"]

# String 11: between
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val >= +? and +v.val < +?)
  -- [11,"a","b"]

# String 11: a midnight
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val >= +? and +v.val < x'' or +v.val = +?))
  -- [11,"2024-01-01T00:00:00","2024-01-01"]

# String 11: no midnight
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < x'' and not +v.val = +?)
  -- [11,"2024-01-01","2024-01-01T00:00:00"]

# String 11: beginning
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val >= +? and +v.val < +?)
  -- [11,"a","b"]

# String 11: beginning, long
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val >= +? and +v.val < +?)
  -- [11,"é×600","é×599ê"]

# String 11: beginning with the last character
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val >= +? and +v.val < +?)
  -- [11,"a􏿿","b"]

# String 11: part
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0))
  -- [11,"a"]

# String 11: present
exists (select 1 from field_value v where v.item = i.id and v.field = +?)
  -- [11]

# String 11: absent
not exists (select 1 from field_value v where v.item = i.id and v.field = +?)
  -- [11]

# Number 12: one
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [12,1]

# Number 12: two
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val in (select case when typeof(value) = 'integer' and value not between -9007199254740991 and 9007199254740991 then value * 1.0 else value end from json_each(+?)))
  -- [12,"[1,2]"]

# Number 12: none
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true)
  -- [12,1]

# Number 12: between
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val >= +? and +v.val < +?)
  -- [12,1,3]

# Number 12: after
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '')
  -- [12,1]

# Number 12: misfit
exists (select 1 from field_value v where v.item = i.id and v.field = +? and v.val = x'00')
  -- [12]

# Boolean 13: none or absent
not exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [13,1]

# Boolean 13: one
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [13,1]

# Date 14: a midnight
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val >= +? and +v.val < x'' or +v.val = +?))
  -- [14,"2024-01-01T00:00:00","2024-01-01"]

# Date 14: no midnight
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < x'' and not +v.val = +?)
  -- [14,"2024-01-01","2024-01-01T00:00:00"]

# Select 16: misfit
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (v.val = x'') is not true and (+v.val = +?) is not true)
  -- [16,"new"]

# Select 16: one
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [16,"new"]

# Select 17: misfit
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (v.val = x'') is not true and (+v.val in (select value from json_each(+?))) is not true)
  -- [17,"[\"new\",\"é×600\"]"]

# Select 17: one
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [17,"é×600"]

# MultiSelect 18: present
exists (select 1 from field_value v where v.item = i.id and v.field = +?)
  -- [18]

# MultiSelect 18: one
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [18,"home"]

# MultiSelect 18: two
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val in (select value from json_each(+?)))
  -- [18,"[\"home\",\"work\"]"]

# MultiSelect 18: the same set
((select count(*) from field_value v where v.item = i.id and v.field = +?) = +? and (select count(*) from field_value v where v.item = i.id and v.field = +? and +v.val in (select value from json_each(+?))) = +?)
  -- [18,2,18,"[\"home\",\"work\"]",2]

# MultiSelect 18: another set
(exists (select 1 from field_value v where v.item = i.id and v.field = +?) and not ((select count(*) from field_value v where v.item = i.id and v.field = +?) = +? and (select count(*) from field_value v where v.item = i.id and v.field = +? and +v.val = +?) = +?))
  -- [18,18,1,18,"home",1]

# MultiSelect 18: the empty set
exists (select 1 from field_value v where v.item = i.id and v.field = +? and v.val = x'')
  -- [18]

# MultiSelect 18: not the empty set
(exists (select 1 from field_value v where v.item = i.id and v.field = +?) and not exists (select 1 from field_value v where v.item = i.id and v.field = +? and v.val = x''))
  -- [18,18]

# Reference 19: one
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [19,5]

# Reference 19: dangling
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val < '' and not exists (select 1 from item target where target.id = +v.val and target.deleted_at is null))
  -- [19]

# Reference 19: not dangling
(exists (select 1 from field_value v where v.item = i.id and v.field = +?) and not exists (select 1 from field_value v where v.item = i.id and v.field = +? and (v.val = x'') is not true and not exists (select 1 from item target where target.id = +v.val and target.deleted_at is null)))
  -- [19,19]

# Reference 19: dangling among some
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val < '' and not exists (select 1 from item target where target.id = +v.val and target.deleted_at is null and (+target.name = +?)))
  -- [19,"a"]

# MultiReference 20: one
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [20,5]

# MultiReference 20: between
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val >= +? and +v.val < +?)
  -- [20,5,6]

# MultiReference 20: absent
not exists (select 1 from field_value v where v.item = i.id and v.field = +?)
  -- [20]

# File 21: one
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [21,"a.pdf"]

# File 21: long
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [21,"é×600"]

# a tag
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [0,7]

# two tags
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val in (select value from json_each(+?)))
  -- [0,"[7,8]"]

# eight tags
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val in (select value from json_each(+?)))
  -- [0,"[1,2,3,4,5,6,7,8]"]

# nine tags
exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val in (select value from json_each(+?)))
  -- [0,"[1,2,3,4,5,6,7,8,9]"]

# some tag
exists (select 1 from field_value v where v.item = i.id and v.field = +?)
  -- [0]

# items
+i.id in (select value from json_each(+?))
  -- ["[3,4]"]

# ids
+i.id in (select value from json_each(+?))
  -- ["[3,4]"]

# changed
exists (select 1 from audit_event e where e.item_id = i.item_id and e.event_id >= +? and e.event_id < +? limit 1)
  -- ["01","02"]

# a text
exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))
  -- ["abc","abc"]

# a short text
exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))
  -- ["ab","ab"]

# a long text
exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))
  -- ["abcdefghijklmnop","abcdefghijklmnop"]

# a text in the name
exists (select 1 from item_text t where t.id = i.id and (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0))
  -- ["abc"]

# a text in the description
exists (select 1 from item_text t where t.id = i.id and (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))
  -- ["abc"]

# a whole name
exists (select 1 from item_text t where t.id = i.id and +t.name = +?)
  -- ["abc"]

# a whole long name
exists (select 1 from item_text t where t.id = i.id and +t.name = +?)
  -- ["é×600"]

# the start of a name
exists (select 1 from item_text t where t.id = i.id and substr(t.name, 1, 2) = +?)
  -- ["a😀"]

# the start of a word
exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0))))
  -- ["abc"," abc","-abc","/abc","\\abc","(abc","[abc","{abc","<abc","\"abc","'abc",".abc",",abc",":abc",";abc","_abc","#abc","&abc","+abc","@abc","|abc","–abc","—abc","„abc","“abc","”abc","‚abc","‘abc","’abc","«abc","»abc","‹abc","›abc","¿abc","¡abc"]

# the start of a word, short
exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0))))
  -- ["a"," a","-a","/a","\\a","(a","[a","{a","<a","\"a","'a",".a",",a",":a",";a","_a","#a","&a","+a","@a","|a","–a","—a","„a","“a","”a","‚a","‘a","’a","«a","»a","‹a","›a","¿a","¡a"]

# a text, some not folded
exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) and (t.id <= +? or t.id > +?))
  -- ["abc","abc",3,9]

# a name, some not folded
exists (select 1 from item_text t where t.id = i.id and substr(t.name, 1, 3) = +? and (t.id <= +? or t.id > +?))
  -- ["abc",3,9]

# a short text, some not folded
exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) and (t.id <= +? or t.id > +?))
  -- ["ab","ab",3,9]

# a text, some waiting
exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))
  -- ["abc","abc"]

# a name, some waiting
exists (select 1 from item_text t where t.id = i.id and +t.name = +?)
  -- ["abc"]

# the start of a name, some waiting
exists (select 1 from item_text t where t.id = i.id and substr(t.name, 1, 3) = +?)
  -- ["abc"]

# a text, some waiting, some not folded
exists (select 1 from item_text t where t.id = i.id and (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) and (t.id <= +? or t.id > +?))
  -- ["abc",3,9]

# a short text, some waiting
exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))
  -- ["ab","ab"]

# a hop to a name
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and (+i0.name = +?))
  -- [19,"a"]

# a hop to one of two names
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and (+i0.name in (select value from json_each(+?))))
  -- [19,"[\"a\",\"b\"]"]

# a hop to one of two long names
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and (+i0.name in (select value from json_each(+?))))
  -- [19,"[\"é×600\",\"é×600x\"]"]

# a hop to a description
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and (i0.description is not null and +i0.description = +?))
  -- [19,"a"]

# a hop to a value
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +?))
  -- [19,12,1]

# a hop to no value
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and not exists (select 1 from field_value v where v.item = i0.id and v.field = +?))
  -- [19,12]

# a hop to none of some
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and not exists (select 1 from field_value v where v.item = i0.id and v.field = +? and +v.val = +?))
  -- [19,13,1]

# a hop to none of some that there are
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and (+v.val = +?) is not true))
  -- [19,13,1]

# a hop to a part
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and (typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0)))
  -- [19,11,"a"]

# a hop to a tag
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +?))
  -- [19,0,7]

# a hop to any tag
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +?))
  -- [19,0]

# a hop to a text
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from item_text t where t.id = h0.val and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))))
  -- [19,"abc","abc"]

# a hop to an item
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and +i0.id = +?)
  -- [19,3]

# a hop to a list
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and +h0.val = +?)
  -- [19,3]

# a hop to whatever
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and true)
  -- [19]

# a hop to nothing
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and false)
  -- [19]

# a hop to not
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and not exists (select 1 from field_value v where v.item = i0.id and v.field = +? and +v.val = +?))
  -- [19,0,7]

# a hop to what changed
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and exists (select 1 from audit_event e where e.item_id = i0.item_id and e.event_id >= +? and e.event_id < +? limit 1))
  -- [19,"01","02"]

# a hop to what is referred to
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and exists (select 1 from field_value r1 where r1.field = +? and r1.val = +i0.id limit 1))
  -- [19,19]

# two hops
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value h1 where h1.item = h0.val and h1.field = +? and exists (select 1 from field_value v where v.item = h1.val and v.field = +? and +v.val = +?)))
  -- [19,19,12,1]

# a hop to several
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +?))
  -- [20,12,1]

# a hop to several that nothing drives
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and not exists (select 1 from field_value v where v.item = i0.id and v.field = +?))
  -- [20,12]

# referred to
exists (select 1 from field_value r0 where r0.field = +? and r0.val = +i.id limit 1)
  -- [19]

# referred to by a value
exists (select 1 from field_value r0 where r0.field = +? and r0.val = +i.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val = +?) limit 1)
  -- [19,12,1]

# referred to by a name
exists (select 1 from field_value r0 cross join item j0 on j0.id = r0.item where r0.field = +? and r0.val = +i.id and (+j0.name = +?) limit 1)
  -- [19,"a"]

# referred to by a name or a value
exists (select 1 from field_value r0 cross join item j0 on j0.id = r0.item where r0.field = +? and r0.val = +i.id and ((+j0.name = +?) or exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val = +?)) limit 1)
  -- [19,"a",12,1]

# referred to by three
(select count(*) from (select 1 from field_value r0 where r0.field = +? and r0.val = +i.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val = +?) limit 3) c0) >= +?
  -- [19,12,1,3]

# referred to by exactly one
(select count(*) from (select 1 from field_value r0 where r0.field = +? and r0.val = +i.id and exists (select 1 from field_value v where v.item = r0.item and v.field = +? and +v.val = +?) limit 2) c0) between +? and +?
  -- [19,12,1,1,1]

# referred to by two to four
(select count(*) from (select 1 from field_value r0 where r0.field = +? and r0.val = +i.id limit 5) c0) between +? and +?
  -- [19,2,4]

# referred to by what is referred to
exists (select 1 from field_value r0 where r0.field = +? and r0.val = +i.id and exists (select 1 from field_value r1 cross join item j1 on j1.id = r1.item where r1.field = +? and r1.val = +r0.item and (+j1.name = +?) limit 1) limit 1)
  -- [19,19,"a"]

# referred to by what hops
exists (select 1 from field_value r0 where r0.field = +? and r0.val = +i.id and exists (select 1 from field_value h1 cross join item i1 on i1.id = h1.val where h1.item = r0.item and h1.field = +? and i1.deleted_at is null and (+i1.name = +?)) limit 1)
  -- [19,19,"a"]

# and
((+i.name = +?) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))
  -- ["a",12,1]

# and of what has no order
(exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '') and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < x''))
  -- [12,1,11,"a"]

# and, the second in order
(exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '') and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))
  -- [12,1,0,7]

# and of what nothing drives
(not exists (select 1 from field_value v where v.item = i.id and v.field = +?) and not exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))
  -- [12,0,7]

# or
((+i.name = +?) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))
  -- ["a",12,1]

# or with what nothing drives
((+i.name = +?) or not exists (select 1 from field_value v where v.item = i.id and v.field = +?))
  -- ["a",12]

# or of and
(exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val > +? and +v.val < '') and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)))
  -- [0,7,12,1,0,8]

# not
not exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)
  -- [0,7]

# not of and
not (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) and not exists (select 1 from field_value v where v.item = i.id and v.field = +?))
  -- [0,7,12]

# sixty-four alternatives
(((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) or (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) or ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) or (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and (((((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?))) or (((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)))) or ((((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?))) or (((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?))))) limit 1)))))))
  -- [0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,12,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]

# sixty-five alternatives
(((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) or (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))) or ((((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))) or (((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and (((((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?))) or (((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)))) or ((((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?))) or (((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or (+v.val = +? or +v.val = +?)))))) limit 1)))))))
  -- [0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,12,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33]

# eight alternatives
(((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +?))))
  -- [12,1,12,2,12,3,12,4,12,5,12,6,12,7,12,8]

# nine alternatives
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or (+v.val = +? or +v.val = +?)))) limit 1)
  -- [12,1,2,3,4,5,6,7,8,9]

# nine alternatives of one of several values
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or (+v.val = +? or +v.val = +?)))) limit 1)
  -- [18,"1","2","3","4","5","6","7","8","9"]

# nine of one of several values
(((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))))
  -- [18,"1",18,"2",18,"3",18,"4",18,"5",18,"6",18,"7",18,"8",18,"9"]

# nine of one value
(((exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true limit 1))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true limit 1)) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true limit 1) and (exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true limit 1) and exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +?) is not true limit 1)))))
  -- [11,"1",11,"2",11,"3",11,"4",11,"5",11,"6",11,"7",11,"8",11,"9"]

# nine ranges
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (((+v.val > +? and +v.val < x'' and +v.val > +? and +v.val < x'') and (+v.val > +? and +v.val < x'' and +v.val > +? and +v.val < x'')) and ((+v.val > +? and +v.val < x'' and +v.val > +? and +v.val < x'') and (+v.val > +? and +v.val < x'' and (+v.val > +? and +v.val < x'' and +v.val > +? and +v.val < x'')))) limit 1)
  -- [11,"1","2","3","4","5","6","7","8","9"]

# nine beginnings
exists (select 1 from field_value v where v.item = i.id and v.field = +? and (((+v.val >= +? and +v.val < +? or +v.val >= +? and +v.val < +?) or (+v.val >= +? and +v.val < +? or +v.val >= +? and +v.val < +?)) or ((+v.val >= +? and +v.val < +? or +v.val >= +? and +v.val < +?) or (+v.val >= +? and +v.val < +? or (+v.val >= +? and +v.val < +? or +v.val >= +? and +v.val < +?)))) limit 1)
  -- [11,"1","2","2","3","3","4","4","5","5","6","6","7","7","8","8","9","9",":"]

# nine parts
exists (select 1 from field_value v where v.item = i.id and v.field = +? and ((((typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0) or (typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0)) or ((typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0) or (typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0))) or (((typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0) or (typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0)) or ((typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0) or ((typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0) or (typeof(+v.val) = 'text' and (octet_length(+v.val) < 65536 or goes_on()) and instr(+v.val, +?) > 0))))) limit 1)
  -- [11,"1","2","3","4","5","6","7","8","9"]

# nine parts and one
(exists (select 1 from field_value v where v.item = i.id and v.field = +? and (((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or (+v.val = +? or +v.val = +?)))) limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? limit 1))
  -- [11,"1","2","3","4","5","6","7","8","9",11]

# nine texts
exists (select 1 from item_text t where t.id = i.id and (((((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) or ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))) or (((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) or ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))) or ((((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) or ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))) or (((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) or (((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) or ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))))) limit 1)
  -- ["text 1","text 1","text 2","text 2","text 3","text 3","text 4","text 4","text 5","text 5","text 6","text 6","text 7","text 7","text 8","text 8","text 9","text 9"]

# nine texts, one not folded
(exists (select 1 from item_text t where t.id = i.id and (((((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) or ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))) or (((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) or ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))) or ((((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) or ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))) or (((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) or ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))))) limit 1) or exists (select 1 from item_text t where t.id = i.id and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) and (t.id <= +? or t.id > +?) limit 1))
  -- ["text 1","text 1","text 2","text 2","text 3","text 3","text 4","text 4","text 5","text 5","text 6","text 6","text 7","text 7","text 8","text 8","abc","abc",3,9]

# all of nine texts
exists (select 1 from item_text t where t.id = i.id and (((((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))) and (((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))) and ((((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0))) and (((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) and (((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) and ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)))))) limit 1)
  -- ["text 1","text 1","text 2","text 2","text 3","text 3","text 4","text 4","text 5","text 5","text 6","text 6","text 7","text 7","text 8","text 8","text 9","text 9"]

# none of nine
not exists (select 1 from field_value v where v.item = i.id and v.field = +? and (((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or (+v.val = +? or +v.val = +?)))) limit 1)
  -- [12,1,2,3,4,5,6,7,8,9]

# not all of nine
not exists (select 1 from field_value v where v.item = i.id and v.field = +? and (((+v.val = +? and +v.val = +?) and (+v.val = +? and +v.val = +?)) and ((+v.val = +? and +v.val = +?) and (+v.val = +? and (+v.val = +? and +v.val = +?)))) limit 1)
  -- [12,1,2,3,4,5,6,7,8,9]

# nine hops
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and exists (select 1 from field_value v where v.item = i0.id and v.field = +? and (((+v.val = +? or +v.val = +?) or (+v.val = +? or +v.val = +?)) or ((+v.val = +? or +v.val = +?) or (+v.val = +? or (+v.val = +? or +v.val = +?)))) limit 1) limit 1)
  -- [19,12,1,2,3,4,5,6,7,8,9]

# all of nine hops
exists (select 1 from field_value h0 cross join item i0 on i0.id = h0.val where h0.item = i.id and h0.field = +? and i0.deleted_at is null and exists (select 1 from field_value v where v.item = i0.id and v.field = +? and (((+v.val = +? and +v.val = +?) and (+v.val = +? and +v.val = +?)) and ((+v.val = +? and +v.val = +?) and (+v.val = +? and (+v.val = +? and +v.val = +?)))) limit 1) limit 1)
  -- [19,12,1,2,3,4,5,6,7,8,9]

# all of nine hops to several
(((exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +? limit 1) limit 1) and exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +? limit 1) limit 1)) and (exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +? limit 1) limit 1) and exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +? limit 1) limit 1))) and ((exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +? limit 1) limit 1) and exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +? limit 1) limit 1)) and (exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +? limit 1) limit 1) and (exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +? limit 1) limit 1) and exists (select 1 from field_value h0 where h0.item = i.id and h0.field = +? and exists (select 1 from field_value v where v.item = h0.val and v.field = +? and +v.val = +? limit 1) limit 1)))))
  -- [20,12,1,20,12,2,20,12,3,20,12,4,20,12,5,20,12,6,20,12,7,20,12,8,20,12,9]

# nine, two of a field
(((exists (select 1 from field_value v where v.item = i.id and v.field = +? and (+v.val = +? or +v.val > +? and +v.val < x'') limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1))))
  -- [11,"a","b",0,1,0,2,0,3,0,4,0,5,0,6,0,7]

# nine of nine kinds
(((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or (+i.name = +?)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or (+i.name = +?))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or (+i.name = +?)) or (exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1) or ((+i.name = +?) or exists (select 1 from field_value v where v.item = i.id and v.field = +? and +v.val = +? limit 1)))))
  -- [0,1,"2",0,3,"4",0,5,"6",0,7,"8",0,9]
