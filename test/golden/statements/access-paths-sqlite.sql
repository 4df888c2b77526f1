# always
none

# never
none

# name: one of one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["a"]

# name: one of two
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["a"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["b"]

# name: one of eight
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["1"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["2"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["3"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["4"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["5"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["6"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["7"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["8"]

# name: one of nine
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name in (select value from json_each(+?))
  -- ["[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]"]

# name: one of one long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["é×600"]

# name: one of two long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["é×600"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["é×600x"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["a"]

# name: none of
none

# name: none of long
none

# name: from
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name >= +? and n.name < x''
  -- ["a"]

# name: from long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name >= +? and n.name < x''
  -- ["é×600"]

# name: from long, or another
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and (n.name >= +? and n.name < x'' or n.name = +?)
  -- ["é×600","b"]

# name: after
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name > +? and n.name < x''
  -- ["a"]

# name: up to
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name <= +?
  -- ["b"]

# name: before
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name < +?
  -- ["b"]

# name: before long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name < +?
  -- ["é×600"]

# name: between
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name >= +? and n.name < +?
  -- ["a","b"]

# name: a midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and (n.name >= +? and n.name < x'' or n.name = +?)
  -- ["2024-01-01T00:00:00","2024-01-01"]

# name: no midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name > +? and n.name < x'' and not n.name = +?
  -- ["2024-01-01","2024-01-01T00:00:00"]

# name: beginning
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name >= +? and n.name < +?
  -- ["a","b"]

# name: beginning, long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name >= +? and n.name < +?
  -- ["é×600","é×599ê"]

# name: beginning with the last character
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name >= +? and n.name < +?
  -- ["a􏿿","b"]

# name: part
none

# description: present
none

# description: absent
none

# description: one
none

# description: none
none

# description: part
none

# created_at: from
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.created_at >= +? and n.created_at < x''
  -- ["2024"]

# created_at: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.created_at = +?
  -- ["2024"]

# created_at: absent
none

# String 11: one of one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"a"]

# String 11: one of two
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"a"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"b"]

# String 11: one of eight
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"1"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"2"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"3"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"4"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"5"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"6"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"7"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"8"]

# String 11: one of nine
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val in (select value from json_each(+?))
  -- [11,"[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]"]

# String 11: one of one long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"é×600"]

# String 11: one of two long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"é×600"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"é×600x"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"a"]

# String 11: none of
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]

# String 11: none of long
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]

# String 11: from
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < x''
  -- [11,"a"]

# String 11: from long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < x''
  -- [11,"é×600"]

# String 11: from long, or another
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < x'' union all select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"é×600",11,"b"]

# String 11: after
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val > +? and v.val < x''
  -- [11,"a"]

# String 11: up to
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val <= +?
  -- [11,"b"]

# String 11: before
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val < +?
  -- [11,"b"]

# String 11: before long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val < +?
  -- [11,"é×600"]

# String 11: between
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"a","b"]

# String 11: a midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < x'' union all select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"2024-01-01T00:00:00",11,"2024-01-01"]

# String 11: no midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val > +? and v.val < x'' and not v.val = +?
  -- [11,"2024-01-01","2024-01-01T00:00:00"]

# String 11: beginning
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"a","b"]

# String 11: beginning, long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"é×600","é×599ê"]

# String 11: beginning with the last character
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"a􏿿","b"]

# String 11: part
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]

# String 11: present
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]

# String 11: absent
none

# Number 12: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]

# Number 12: two
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,2]

# Number 12: none
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [12]

# Number 12: between
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [12,1,3]

# Number 12: after
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val > +? and v.val < ''
  -- [12,1]

# Number 12: misfit
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [12]

# Boolean 13: none or absent
none

# Boolean 13: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [13,1]

# Date 14: a midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < x'' union all select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [14,"2024-01-01T00:00:00",14,"2024-01-01"]

# Date 14: no midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val > +? and v.val < x'' and not v.val = +?
  -- [14,"2024-01-01","2024-01-01T00:00:00"]

# Select 16: misfit
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [16]

# Select 16: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [16,"new"]

# Select 17: misfit
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [17]

# Select 17: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [17,"é×600"]

# MultiSelect 18: present
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [18]

# MultiSelect 18: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"home"]

# MultiSelect 18: two
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"home"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"work"]

# MultiSelect 18: the same set
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"home"]

# MultiSelect 18: another set
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [18]

# MultiSelect 18: the empty set
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [18]

# MultiSelect 18: not the empty set
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [18]

# Reference 19: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [19,5]

# Reference 19: dangling
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# Reference 19: not dangling
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# Reference 19: dangling among some
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# MultiReference 20: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [20,5]

# MultiReference 20: between
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [20,5,6]

# MultiReference 20: absent
none

# File 21: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [21,"a.pdf"]

# File 21: long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [21,"é×600"]

# a tag
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,7]

# two tags
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,8]

# eight tags
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,2]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,4]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,6]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,8]

# nine tags
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val in (select value from json_each(+?))
  -- [0,"[1,2,3,4,5,6,7,8,9]"]

# some tag
none

# items
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select value as item from json_each(+?)
  -- ["[3,4]"]

# ids
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.id in (select value as item from json_each(+?))
  -- ["[3,4]"]

# changed
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from audit_event e cross join item n where n.item_id = e.item_id and n.deleted_at is null and e.event_id >= +? and e.event_id < +?
  -- ["01","02"]

# a text
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"abc\""]

# a short text
none

# a long text
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select f.rowid as item from item_trigram f cross join item_text t where item_trigram match +? and t.id = f.rowid and (instr(t.name, +?) > 0 or instr(t.description, +?) > 0)
  -- ["NEAR(\"abc\" \"efg\" \"ijk\" \"mno\" \"nop\", 12)","abcdefghijklmnop","abcdefghijklmnop"]

# a text in the name
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["name : \"abc\""]

# a text in the description
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["description : \"abc\""]

# a whole name
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where n.name = +?
  -- ["abc"]

# a whole long name
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where n.name = +?
  -- ["é×600"]

# the start of a name
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where n.name >= +? and n.name < +?
  -- ["a😀","a😁"]

# the start of a word
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["name : (\" abc\" OR \"-abc\" OR \"/abc\" OR \"\\abc\" OR \"(abc\" OR \"[abc\" OR \"{abc\" OR \"<abc\" OR \"\"\"abc\" OR \"'abc\" OR \".abc\" OR \",abc\" OR \":abc\" OR \";abc\" OR \"_abc\" OR \"#abc\" OR \"&abc\" OR \"+abc\" OR \"@abc\" OR \"|abc\" OR \"–abc\" OR \"—abc\" OR \"„abc\" OR \"“abc\" OR \"”abc\" OR \"‚abc\" OR \"‘abc\" OR \"’abc\" OR \"«abc\" OR \"»abc\" OR \"‹abc\" OR \"›abc\" OR \"¿abc\" OR \"¡abc\")"]

# the start of a word, short
none

# a text, some not folded
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select rowid as item from item_trigram where item_trigram match +?) r where true and (r.item <= +? or r.item > +?)
  -- ["\"abc\"",3,9]

# a name, some not folded
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select n.id as item from item_text n where n.name >= +? and n.name < +?) r where true and (r.item <= +? or r.item > +?)
  -- ["abc","abd",3,9]

# a short text, some not folded
none

# a text, some waiting
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select rowid as item from item_trigram where item_trigram match +?) r where (select w.id from waiting_text w where w.id = r.item) is null union all select w.id as item from waiting_text w where (select ((typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) or (typeof(t.description) = 'text' and (octet_length(t.description) < 65536 or goes_on()) and instr(t.description, +?) > 0)) from item_text t where t.id = w.id)
  -- ["\"abc\"","abc","abc"]

# a name, some waiting
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where n.name = +?
  -- ["abc"]

# the start of a name, some waiting
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where n.name >= +? and n.name < +?
  -- ["abc","abd"]

# a text, some waiting, some not folded
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select r.item from (select rowid as item from item_trigram where item_trigram match +?) r where true and (r.item <= +? or r.item > +?)) r where (select w.id from waiting_text w where w.id = r.item) is null union all select w.id as item from waiting_text w where (select (typeof(t.name) = 'text' and (octet_length(t.name) < 65536 or goes_on()) and instr(t.name, +?) > 0) and (t.id <= +? or t.id > +?) from item_text t where t.id = w.id)
  -- ["name : \"abc\"",3,9,"abc",3,9]

# a short text, some waiting
none

# a hop to a name
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["a"]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select n.id as item from item n where n.deleted_at is null and n.name = +?) t)
  -- [19,"a"]

# a hop to one of two names
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select n.id as item from item n where n.deleted_at is null and n.name in (select value from json_each(+?))
  -- ["[\"a\",\"b\"]"]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select n.id as item from item n where n.deleted_at is null and n.name in (select value from json_each(+?))) t)
  -- [19,"[\"a\",\"b\"]"]

# a hop to one of two long names
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select n.id as item from item n where n.deleted_at is null and n.name in (select value from json_each(+?))
  -- ["[\"é×600\",\"é×600x\"]"]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select n.id as item from item n where n.deleted_at is null and n.name in (select value from json_each(+?))) t)
  -- [19,"[\"é×600\",\"é×600x\"]"]

# a hop to a description
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# a hop to a value
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,1]

# a hop to no value
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# a hop to none of some
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# a hop to none of some that there are
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# a hop to a part
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# a hop to a tag
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,7]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,0,7]

# a hop to any tag
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# a hop to a text
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select rowid as item from item_trigram where item_trigram match +?
  -- ["\"abc\""]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select rowid as item from item_trigram where item_trigram match +?) t)
  -- [19,"\"abc\""]

# a hop to an item
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select n.id as item from item n where n.deleted_at is null and n.id in (select value as item from json_each(+?))
  -- ["[3]"]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select n.id as item from item n where n.deleted_at is null and n.id in (select value as item from json_each(+?))) t)
  -- [19,"[3]"]

# a hop to a list
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select value as item from json_each(+?)
  -- ["[3]"]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select value as item from json_each(+?)) t)
  -- [19,"[3]"]

# a hop to whatever
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# a hop to nothing
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# a hop to not
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [19]

# a hop to what changed
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select n.id as item from audit_event e cross join item n where n.item_id = e.item_id and n.deleted_at is null and e.event_id >= +? and e.event_id < +?
  -- ["01","02"]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select n.id as item from audit_event e cross join item n where n.item_id = e.item_id and n.deleted_at is null and e.event_id >= +? and e.event_id < +?) t)
  -- [19,"01","02"]

# a hop to what is referred to
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true} of with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null) t)
  -- [19,19,19]

# two hops
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,1]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)) t)
  -- [19,19,12,1]

# a hop to several
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [20,12,1]

# a hop to several that nothing drives
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [20]

# referred to
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]

# referred to by a value
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":true,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null
  -- [12,1,19]

# referred to by a name
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":true,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select n.id as item from item n where n.deleted_at is null and n.name = +?) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null
  -- ["a",19]

# referred to by a name or a value
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":true,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select n.id as item from item n where n.deleted_at is null and n.name = +?) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null
  -- ["a",19]
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null
  -- [12,1,19]

# referred to by three
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":false,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null
  -- [12,1,19]

# referred to by exactly one
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":false,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = +? and v.val = +?) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null
  -- [12,1,19]

# referred to by two to four
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]

# referred to by what is referred to
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":false,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select n.id as item from (select r.item as item from (with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null
  -- [19,19,19]

# referred to by what hops
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.val) from field_value v where v.field = +? and v.val < '') union all select (select min(v.val) from field_value v where v.field = +? and v.val < '' and v.val > target.id) from target where target.id is not null) select n.id as item from target cross join item n on n.id = target.id where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":true,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select n.id as item from item n where n.deleted_at is null and n.name = +?) t)) r) t cross join field_value v on v.item = t.item and v.field = +? cross join item n on n.id = +v.val where n.deleted_at is null
  -- [19,"a",19]

# and
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["a"]

# and of what has no order
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val > +? and v.val < ''
  -- [12,1]

# and, the second in order
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,7]

# and of what nothing drives
none

# or
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["a"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]

# or with what nothing drives
none

# or of and
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,7]
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,8]

# not
none

# not of and
none

# sixty-four alternatives
{"ordered":false,"exact":true,"fromReferring":false}
  64 sources, the first of which:
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,1]

# sixty-five alternatives
none

# eight alternatives
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,2]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,4]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,6]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,8]

# nine alternatives
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,2]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,4]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,6]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,8]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,9]

# nine alternatives of one of several values
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"1"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"2"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"3"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"4"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"5"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"6"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"7"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"8"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"9"]

# nine of one of several values
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [18,"1"]

# nine of one value
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]

# nine ranges
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val > +? and v.val < x''
  -- [11,"1"]

# nine beginnings
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"1","2"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"2","3"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"3","4"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"4","5"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"5","6"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"6","7"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"7","8"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"8","9"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val >= +? and v.val < +?
  -- [11,"9",":"]

# nine parts
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = +?
  -- [11]

# nine parts and one
{"ordered":false,"exact":true,"fromReferring":false}
  10 sources, the first of which:
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"1"]

# nine texts
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 1\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 2\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 3\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 4\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 5\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 6\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 7\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 8\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 9\""]

# nine texts, one not folded
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 1\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 2\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 3\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 4\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 5\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 6\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 7\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 8\""]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select rowid as item from item_trigram where item_trigram match +?) r where true and (r.item <= +? or r.item > +?)
  -- ["\"abc\"",3,9]

# all of nine texts
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select rowid as item from item_trigram where item_trigram match +?
  -- ["\"text 1\""]

# none of nine
none

# not all of nine
none

# nine hops
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,1]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,2]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,2]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,3]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,3]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,4]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,4]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,5]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,5]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,6]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,6]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,7]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,7]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,8]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,8]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,9]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,9]

# all of nine hops
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [19,12,1]

# all of nine hops to several
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true} of select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [12,1]
  select v.item as item from field_value v where v.field = +? and v.val in (select +t.item from (select v.item as item from field_value v where v.field = +? and v.val = +?) t)
  -- [20,12,1]

# nine, two of a field
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [11,"a"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val > +? and v.val < x''
  -- [11,"b"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,2]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,4]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,6]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,7]

# nine of nine kinds
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["2"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["4"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["6"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.name = +?
  -- ["8"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = +? and v.val = +?
  -- [0,9]
