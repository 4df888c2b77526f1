# always
none

# never
none

# name: one of one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["a"]

# name: one of two
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["a"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["b"]

# name: one of eight
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["1"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["2"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["3"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["4"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["5"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["6"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["7"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["8"]

# name: one of nine
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select r.item from unnest($1::text[]) w(text) cross join lateral (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = w.text offset 0) r
  -- [["1","2","3","4","5","6","7","8","9"]]

# name: one of one long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1 and n.name = $2
  -- ["é×501","é×600"]

# name: one of two long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1 and n.name = $2
  -- ["é×501","é×600"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1 and n.name = $2
  -- ["é×501","é×600x"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["a"]

# name: none of
none

# name: none of long
none

# name: from
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) >= $1
  -- ["a"]

# name: from long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) >= $1 and n.name >= $2
  -- ["é×501","é×600"]

# name: from long, or another
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and (n.name >= $1 or n.name = $2)
  -- ["é×600","b"]

# name: after
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) > $1
  -- ["a"]

# name: up to
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) <= $1
  -- ["b"]

# name: before
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) < $1
  -- ["b"]

# name: before long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) <= $1 and n.name < $2
  -- ["é×501","é×600"]

# name: between
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) >= $1 and left(n.name, 501) < $2
  -- ["a","b"]

# name: a midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and (left(n.name, 501) >= $1 or left(n.name, 501) = $2)
  -- ["2024-01-01T00:00:00","2024-01-01"]

# name: no midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) > $1 and not left(n.name, 501) = $2
  -- ["2024-01-01","2024-01-01T00:00:00"]

# name: beginning
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) >= $1 and left(n.name, 501) < $2
  -- ["a","b"]

# name: beginning, long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) >= $1 and left(n.name, 501) <= $2 and n.name >= $3 and n.name < $4
  -- ["é×501","é×501","é×600","é×599ê"]

# name: beginning with the last character
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) >= $1 and left(n.name, 501) < $2
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
  select n.id as item from item n where n.deleted_at is null and n.created_at >= $1
  -- ["2024"]

# created_at: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.created_at = $1
  -- ["2024"]

# created_at: absent
none

# String 11: one of one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"a"]

# String 11: one of two
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"a"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"b"]

# String 11: one of eight
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"1"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"2"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"3"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"4"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"5"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"6"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"7"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"8"]

# String 11: one of nine
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = any($2::text[])
  -- [11,["1","2","3","4","5","6","7","8","9"]]

# String 11: one of one long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2 and case when v.text is not null then coalesce(v.long, v.text) end = $3
  -- [11,"é×501","é×600"]

# String 11: one of two long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2 and case when v.text is not null then coalesce(v.long, v.text) end = $3
  -- [11,"é×501","é×600"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2 and case when v.text is not null then coalesce(v.long, v.text) end = $3
  -- [11,"é×501","é×600x"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"a"]

# String 11: none of
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]

# String 11: none of long
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]

# String 11: from
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2
  -- [11,"a"]

# String 11: from long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and case when v.text is not null then coalesce(v.long, v.text) end >= $3
  -- [11,"é×501","é×600"]

# String 11: from long, or another
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and case when v.text is not null then coalesce(v.long, v.text) end >= $3 union all select v.item as item from field_value v where v.field = $4 and v.text = $5
  -- [11,"é×501","é×600",11,"b"]

# String 11: after
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text > $2
  -- [11,"a"]

# String 11: up to
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text <= $2
  -- [11,"b"]

# String 11: before
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text < $2
  -- [11,"b"]

# String 11: before long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text <= $2 and case when v.text is not null then coalesce(v.long, v.text) end < $3
  -- [11,"é×501","é×600"]

# String 11: between
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"a","b"]

# String 11: a midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 union all select v.item as item from field_value v where v.field = $3 and v.text = $4
  -- [11,"2024-01-01T00:00:00",11,"2024-01-01"]

# String 11: no midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text > $2 and not v.text = $3
  -- [11,"2024-01-01","2024-01-01T00:00:00"]

# String 11: beginning
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"a","b"]

# String 11: beginning, long
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text <= $3 and case when v.text is not null then coalesce(v.long, v.text) end >= $4 and case when v.text is not null then coalesce(v.long, v.text) end < $5
  -- [11,"é×501","é×501","é×600","é×599ê"]

# String 11: beginning with the last character
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"a􏿿","b"]

# String 11: part
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]

# String 11: present
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]

# String 11: absent
none

# Number 12: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]

# Number 12: two
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,2]

# Number 12: none
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [12]

# Number 12: between
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num >= $2 and v.num < $3
  -- [12,1,3]

# Number 12: after
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num > $2
  -- [12,1]

# Number 12: misfit
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [12]

# Boolean 13: none or absent
none

# Boolean 13: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [13,1]

# Date 14: a midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 union all select v.item as item from field_value v where v.field = $3 and v.text = $4
  -- [14,"2024-01-01T00:00:00",14,"2024-01-01"]

# Date 14: no midnight
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text > $2 and not v.text = $3
  -- [14,"2024-01-01","2024-01-01T00:00:00"]

# Select 16: misfit
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [16]

# Select 16: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [16,"new"]

# Select 17: misfit
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [17]

# Select 17: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2 and case when v.text is not null then coalesce(v.long, v.text) end = $3
  -- [17,"é×501","é×600"]

# MultiSelect 18: present
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [18]

# MultiSelect 18: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"home"]

# MultiSelect 18: two
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"home"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"work"]

# MultiSelect 18: the same set
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"home"]

# MultiSelect 18: another set
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [18]

# MultiSelect 18: the empty set
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [18]

# MultiSelect 18: not the empty set
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [18]

# Reference 19: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [19,5]

# Reference 19: dangling
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# Reference 19: not dangling
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# Reference 19: dangling among some
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# MultiReference 20: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [20,5]

# MultiReference 20: between
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref >= $2 and v.ref < $3
  -- [20,5,6]

# MultiReference 20: absent
none

# File 21: one
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [21,"a.pdf"]

# File 21: long
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2 and case when v.text is not null then coalesce(v.long, v.text) end = $3
  -- [21,"é×501","é×600"]

# a tag
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,7]

# two tags
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,8]

# eight tags
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,2]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,4]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,6]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,8]

# nine tags
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = any($2::bigint[])
  -- [0,[1,2,3,4,5,6,7,8,9]]

# some tag
none

# items
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select unnest($1::bigint[]) as item
  -- [[3,4]]

# ids
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and n.id in (select unnest($1::bigint[]) as item)
  -- [[3,4]]

# changed
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from audit_event e cross join item n where n.item_id = e.item_id and n.deleted_at is null and e.event_id >= $1 and e.event_id < $2
  -- ["01","02"]

# a text
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%abc%","%abc%"]

# a short text
none

# a long text
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%abcdefghijklmnop%","%abcdefghijklmnop%"]

# a text in the name
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1) and costs_a_text(t.id) offset 0
  -- ["%abc%"]

# a text in the description
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.description like $1) and costs_a_text(t.id) offset 0
  -- ["%abc%"]

# a whole name
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where left(n.name, 501) = $1
  -- ["abc"]

# a whole long name
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where left(n.name, 501) = $1 and n.name = $2
  -- ["é×501","é×600"]

# the start of a name
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where left(n.name, 501) >= $1 and left(n.name, 501) < $2
  -- ["a😀","a😁"]

# the start of a word
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and t.name ~ $1
  -- ["[ \\-\\/\\\\\\(\\[\\{\\<\\\"\\'\\.\\,\\:\\;\\_\\#\\&\\+\\@\\|–—„“”‚‘’«»‹›¿¡]abc"]

# the start of a word, short
none

# a text, some not folded
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0) r where true and (r.item <= $3 or r.item > $4)
  -- ["%abc%","%abc%",3,9]

# a name, some not folded
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select n.id as item from item_text n where left(n.name, 501) >= $1 and left(n.name, 501) < $2) r where true and (r.item <= $3 or r.item > $4)
  -- ["abc","abd",3,9]

# a short text, some not folded
none

# a text, some waiting
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0) r where (select w.id from waiting_text w where w.id = r.item) is null union all select w.id as item from waiting_text w where (select (coalesce(strpos(t.name, $3) > 0, false) or coalesce(strpos(t.description, $4) > 0, false)) from item_text t where t.id = w.id)
  -- ["%abc%","%abc%","abc","abc"]

# a name, some waiting
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where left(n.name, 501) = $1
  -- ["abc"]

# the start of a name, some waiting
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item_text n where left(n.name, 501) >= $1 and left(n.name, 501) < $2
  -- ["abc","abd"]

# a text, some waiting, some not folded
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select r.item from (select t.id as item from item_text t where t.waits is null and (t.name like $1) and costs_a_text(t.id) offset 0) r where true and (r.item <= $2 or r.item > $3)) r where (select w.id from waiting_text w where w.id = r.item) is null union all select w.id as item from waiting_text w where (select coalesce(strpos(t.name, $4) > 0, false) and (t.id <= $5 or t.id > $6) from item_text t where t.id = w.id)
  -- ["%abc%",3,9,"abc",3,9]

# a short text, some waiting
none

# a hop to a name
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["a"]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $2) t))
  -- [19,"a"]

# a hop to one of two names
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select r.item from unnest($1::text[]) w(text) cross join lateral (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = w.text offset 0) r
  -- [["a","b"]]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select r.item from unnest($2::text[]) w(text) cross join lateral (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = w.text offset 0) r) t))
  -- [19,["a","b"]]

# a hop to one of two long names
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select r.item from unnest($1::text[]) w(text) cross join lateral (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = w.text and n.name = any($2::text[]) offset 0) r
  -- [["é×501"],["é×600","é×600x"]]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select r.item from unnest($2::text[]) w(text) cross join lateral (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = w.text and n.name = any($3::text[]) offset 0) r) t))
  -- [19,["é×501"],["é×600","é×600x"]]

# a hop to a description
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# a hop to a value
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,1]

# a hop to no value
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# a hop to none of some
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# a hop to none of some that there are
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# a hop to a part
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# a hop to a tag
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,7]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.ref = $3) t))
  -- [19,0,7]

# a hop to any tag
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# a hop to a text
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%abc%","%abc%"]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select t.id as item from item_text t where t.waits is null and (t.name like $2 or t.description like $3) and costs_a_text(t.id) offset 0) t))
  -- [19,"%abc%","%abc%"]

# a hop to an item
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select n.id as item from item n where n.deleted_at is null and n.id in (select unnest($1::bigint[]) as item)
  -- [[3]]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select n.id as item from item n where n.deleted_at is null and n.id in (select unnest($2::bigint[]) as item)) t))
  -- [19,[3]]

# a hop to a list
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select unnest($1::bigint[]) as item
  -- [[3]]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select unnest($2::bigint[]) as item) t))
  -- [19,[3]]

# a hop to whatever
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# a hop to nothing
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# a hop to not
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [19]

# a hop to what changed
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select n.id as item from audit_event e cross join item n where n.item_id = e.item_id and n.deleted_at is null and e.event_id >= $1 and e.event_id < $2
  -- ["01","02"]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select n.id as item from audit_event e cross join item n where n.item_id = e.item_id and n.deleted_at is null and e.event_id >= $2 and e.event_id < $3) t))
  -- [19,"01","02"]

# a hop to what is referred to
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true} of with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $3 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null) t))
  -- [19,19,19]

# two hops
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,1]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $3 and v.num = $4) t))) t))
  -- [19,19,12,1]

# a hop to several
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [20,12,1]

# a hop to several that nothing drives
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [20]

# referred to
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]

# referred to by a value
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":true,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = $1 and v.num = $2) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $3 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null
  -- [12,1,19]

# referred to by a name
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":true,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $2 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null
  -- ["a",19]

# referred to by a name or a value
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":true,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $2 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null
  -- ["a",19]
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = $1 and v.num = $2) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $3 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null
  -- [12,1,19]

# referred to by three
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":false,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = $1 and v.num = $2) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $3 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null
  -- [12,1,19]

# referred to by exactly one
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":false,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = $1 and v.num = $2) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $3 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null
  -- [12,1,19]

# referred to by two to four
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]

# referred to by what is referred to
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":false,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true}
  select n.id as item from (select r.item as item from (with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $3 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null
  -- [19,19,19]

# referred to by what hops
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  with recursive target(id) as (select (select min(v.ref) from field_value v where v.field = $1 and v.ref is not null) union all select (select min(v.ref) from field_value v where v.field = $2 and v.ref is not null and v.ref > target.id) from target where target.id is not null) select n.id as item from target cross join lateral (select * from item e where e.id = target.id offset 0) n where n.deleted_at is null
  -- [19,19]
{"ordered":false,"exact":true,"fromReferring":true}
  {"ordered":false,"distinct":false,"exact":true,"seeks":true}
  select n.id as item from (select r.item as item from (select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $2) t))) r) t cross join lateral (select * from field_value e where e.item = t.item and e.field = $3 offset 0) v cross join lateral (select * from item e where e.id = v.ref offset 0) n where n.deleted_at is null
  -- [19,"a",19]

# and
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["a"]

# and of what has no order
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num > $2
  -- [12,1]

# and, the second in order
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,7]

# and of what nothing drives
none

# or
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["a"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]

# or with what nothing drives
none

# or of and
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,7]
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,8]

# not
none

# not of and
none

# sixty-four alternatives
{"ordered":false,"exact":true,"fromReferring":false}
  64 sources, the first of which:
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,1]

# sixty-five alternatives
none

# eight alternatives
{"ordered":true,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,2]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,4]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,6]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,8]

# nine alternatives
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,2]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,4]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,6]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,8]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,9]

# nine alternatives of one of several values
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"1"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"2"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"3"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"4"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"5"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"6"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"7"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"8"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"9"]

# nine of one of several values
{"ordered":true,"exact":false,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [18,"1"]

# nine of one value
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]

# nine ranges
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text > $2
  -- [11,"1"]

# nine beginnings
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"1","2"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"2","3"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"3","4"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"4","5"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"5","6"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"6","7"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"7","8"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"8","9"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text >= $2 and v.text < $3
  -- [11,"9",":"]

# nine parts
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select v.item as item from field_value v where v.field = $1
  -- [11]

# nine parts and one
{"ordered":false,"exact":true,"fromReferring":false}
  10 sources, the first of which:
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"1"]

# nine texts
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 1%","%text 1%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 2%","%text 2%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 3%","%text 3%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 4%","%text 4%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 5%","%text 5%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 6%","%text 6%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 7%","%text 7%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 8%","%text 8%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 9%","%text 9%"]

# nine texts, one not folded
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 1%","%text 1%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 2%","%text 2%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 3%","%text 3%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 4%","%text 4%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 5%","%text 5%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 6%","%text 6%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 7%","%text 7%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 8%","%text 8%"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select r.item from (select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0) r where true and (r.item <= $3 or r.item > $4)
  -- ["%abc%","%abc%",3,9]

# all of nine texts
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true}
  select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0
  -- ["%text 1%","%text 1%"]

# none of nine
none

# not all of nine
none

# nine hops
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,1]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,2]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,2]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,3]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,3]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,4]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,4]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,5]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,5]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,6]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,6]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,7]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,7]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,8]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,8]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,9]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,9]

# all of nine hops
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":true,"exact":false,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [19,12,1]

# all of nine hops to several
{"ordered":false,"exact":false,"fromReferring":false}
  {"ordered":false,"distinct":false,"exact":false,"seeks":true} of select v.item as item from field_value v where v.field = $1 and v.num = $2
  -- [12,1]
  select v.item as item from field_value v where v.field = $1 and v.ref = any(array(select t.item from (select v.item as item from field_value v where v.field = $2 and v.num = $3) t))
  -- [20,12,1]

# nine, two of a field
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text = $2
  -- [11,"a"]
  {"ordered":false,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.text > $2
  -- [11,"b"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,2]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,4]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,6]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,7]

# nine of nine kinds
{"ordered":false,"exact":true,"fromReferring":false}
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,1]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["2"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,3]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["4"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,5]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["6"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,7]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select n.id as item from item n where n.deleted_at is null and left(n.name, 501) = $1
  -- ["8"]
  {"ordered":true,"distinct":true,"exact":true,"seeks":true}
  select v.item as item from field_value v where v.field = $1 and v.ref = $2
  -- [0,9]
