# always
true

# never
false

# name: one of one
((i.name || '') = $1)
  -- ["a"]

# name: one of two
((i.name || '') = any($1::text[]))
  -- [["a","b"]]

# name: one of eight
((i.name || '') = any($1::text[]))
  -- [["1","2","3","4","5","6","7","8"]]

# name: one of nine
((i.name || '') = any($1::text[]))
  -- [["1","2","3","4","5","6","7","8","9"]]

# name: one of one long
((i.name || '') = $1)
  -- ["é×600"]

# name: one of two long
((i.name || '') = any($1::text[]))
  -- [["é×600","é×600x","a"]]

# name: none of
(((i.name || '') = any($1::text[])) is not true)
  -- [["a","b"]]

# name: none of long
(((i.name || '') = $1) is not true)
  -- ["é×600"]

# name: from
((i.name || '') >= $1)
  -- ["a"]

# name: from long
((i.name || '') >= $1)
  -- ["é×600"]

# name: from long, or another
(((i.name || '') >= $1 or (i.name || '') = $2))
  -- ["é×600","b"]

# name: after
((i.name || '') > $1)
  -- ["a"]

# name: up to
((i.name || '') <= $1)
  -- ["b"]

# name: before
((i.name || '') < $1)
  -- ["b"]

# name: before long
((i.name || '') < $1)
  -- ["é×600"]

# name: between
((i.name || '') >= $1 and (i.name || '') < $2)
  -- ["a","b"]

# name: a midnight
(((i.name || '') >= $1 or (i.name || '') = $2))
  -- ["2024-01-01T00:00:00","2024-01-01"]

# name: no midnight
((i.name || '') > $1 and not (i.name || '') = $2)
  -- ["2024-01-01","2024-01-01T00:00:00"]

# name: beginning
((i.name || '') >= $1 and (i.name || '') < $2)
  -- ["a","b"]

# name: beginning, long
((i.name || '') >= $1 and (i.name || '') < $2)
  -- ["é×600","é×599ê"]

# name: beginning with the last character
((i.name || '') >= $1 and (i.name || '') < $2)
  -- ["a􏿿","b"]

# name: part
(coalesce(strpos((i.name || ''), $1) > 0, false))
  -- ["a"]

# description: present
i.description is not null

# description: absent
i.description is null

# description: one
(i.description is not null and (i.description || '') = $1)
  -- ["a"]

# description: none
(i.description is not null and ((i.description || '') = $1) is not true)
  -- ["a"]

# description: part
(i.description is not null and coalesce(strpos((i.description || ''), $1) > 0, false))
  -- ["a"]

# created_at: from
((i.created_at || '') >= $1)
  -- ["2024"]

# created_at: one
((i.created_at || '') = $1)
  -- ["2024"]

# created_at: absent
i.created_at is null

# String 11: one of one
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') = $2 offset 0)
  -- [11,"a"]

# String 11: one of two
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') = any($2::text[]) offset 0)
  -- [11,["a","b"]]

# String 11: one of eight
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') = any($2::text[]) offset 0)
  -- [11,["1","2","3","4","5","6","7","8"]]

# String 11: one of nine
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') = any($2::text[]) offset 0)
  -- [11,["1","2","3","4","5","6","7","8","9"]]

# String 11: one of one long
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and case when v.text is not null then coalesce(v.long, v.text) end = $2 offset 0)
  -- [11,"é×600"]

# String 11: one of two long
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and case when v.text is not null then coalesce(v.long, v.text) end = any($2::text[]) offset 0)
  -- [11,["é×600","é×600x","a"]]

# String 11: none of
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((v.text || '') = any($2::text[])) is not true offset 0)
  -- [11,["a","b"]]

# String 11: none of long
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (case when v.text is not null then coalesce(v.long, v.text) end = $2) is not true offset 0)
  -- [11,"é×600"]

# String 11: from
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') >= $2 offset 0)
  -- [11,"a"]

# String 11: from long
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and case when v.text is not null then coalesce(v.long, v.text) end >= $2 offset 0)
  -- [11,"é×600"]

# String 11: from long, or another
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (case when v.text is not null then coalesce(v.long, v.text) end >= $2 or case when v.text is not null then coalesce(v.long, v.text) end = $3) offset 0)
  -- [11,"é×600","b"]

# String 11: after
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') > $2 offset 0)
  -- [11,"a"]

# String 11: up to
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') <= $2 offset 0)
  -- [11,"b"]

# String 11: before
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') < $2 offset 0)
  -- [11,"b"]

# String 11: before long
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and case when v.text is not null then coalesce(v.long, v.text) end < $2 offset 0)
  -- [11,"é×600"]

# String 11: between
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') >= $2 and (v.text || '') < $3 offset 0)
  -- [11,"a","b"]

# String 11: a midnight
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((v.text || '') >= $2 or (v.text || '') = $3) offset 0)
  -- [11,"2024-01-01T00:00:00","2024-01-01"]

# String 11: no midnight
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') > $2 and not (v.text || '') = $3 offset 0)
  -- [11,"2024-01-01","2024-01-01T00:00:00"]

# String 11: beginning
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') >= $2 and (v.text || '') < $3 offset 0)
  -- [11,"a","b"]

# String 11: beginning, long
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and case when v.text is not null then coalesce(v.long, v.text) end >= $2 and case when v.text is not null then coalesce(v.long, v.text) end < $3 offset 0)
  -- [11,"é×600","é×599ê"]

# String 11: beginning with the last character
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') >= $2 and (v.text || '') < $3 offset 0)
  -- [11,"a􏿿","b"]

# String 11: part
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $2) > 0, false) offset 0)
  -- [11,"a"]

# String 11: present
exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0)
  -- [11]

# String 11: absent
not exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0)
  -- [11]

# Number 12: one
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) = $2 offset 0)
  -- [12,1]

# Number 12: two
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) = any($2::float8[]) offset 0)
  -- [12,[1,2]]

# Number 12: none
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((v.num + 0) = $2) is not true offset 0)
  -- [12,1]

# Number 12: between
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) >= $2 and (v.num + 0) < $3 offset 0)
  -- [12,1,3]

# Number 12: after
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) > $2 offset 0)
  -- [12,1]

# Number 12: misfit
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and coalesce(v.text, v.long, v.num::text, v.ref::text) is null offset 0)
  -- [12]

# Boolean 13: none or absent
not exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) = $2 offset 0)
  -- [13,1]

# Boolean 13: one
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) = $2 offset 0)
  -- [13,1]

# Date 14: a midnight
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((v.text || '') >= $2 or (v.text || '') = $3) offset 0)
  -- [14,"2024-01-01T00:00:00","2024-01-01"]

# Date 14: no midnight
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') > $2 and not (v.text || '') = $3 offset 0)
  -- [14,"2024-01-01","2024-01-01T00:00:00"]

# Select 16: misfit
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((v.text is null and v.long = '')) is not true and ((v.text || '') = $2) is not true offset 0)
  -- [16,"new"]

# Select 16: one
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') = $2 offset 0)
  -- [16,"new"]

# Select 17: misfit
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((v.text is null and v.long = '')) is not true and (case when v.text is not null then coalesce(v.long, v.text) end = any($2::text[])) is not true offset 0)
  -- [17,["new","é×600"]]

# Select 17: one
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and case when v.text is not null then coalesce(v.long, v.text) end = $2 offset 0)
  -- [17,"é×600"]

# MultiSelect 18: present
exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0)
  -- [18]

# MultiSelect 18: one
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') = $2 offset 0)
  -- [18,"home"]

# MultiSelect 18: two
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') = any($2::text[]) offset 0)
  -- [18,["home","work"]]

# MultiSelect 18: the same set
((select count(*) from field_value v where v.item = i.id and v.field = $1) = $2 and (select count(*) from field_value v where v.item = i.id and v.field = $3 and (v.text || '') = any($4::text[])) = $5)
  -- [18,2,18,["home","work"],2]

# MultiSelect 18: another set
(exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0) and not ((select count(*) from field_value v where v.item = i.id and v.field = $2) = $3 and (select count(*) from field_value v where v.item = i.id and v.field = $4 and (v.text || '') = $5) = $6))
  -- [18,18,1,18,"home",1]

# MultiSelect 18: the empty set
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text is null and v.long = '') offset 0)
  -- [18]

# MultiSelect 18: not the empty set
(exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0) and not exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.text is null and v.long = '') offset 0))
  -- [18,18]

# Reference 19: one
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0)
  -- [19,5]

# Reference 19: dangling
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) is not null and not exists (select 1 from item target where target.id = (v.ref + 0) and target.deleted_at is null offset 0) offset 0)
  -- [19]

# Reference 19: not dangling
(exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0) and not exists (select 1 from field_value v where v.item = i.id and v.field = $2 and ((v.text is null and v.long = '')) is not true and not exists (select 1 from item target where target.id = (v.ref + 0) and target.deleted_at is null offset 0) offset 0))
  -- [19,19]

# Reference 19: dangling among some
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) is not null and not exists (select 1 from item target where target.id = (v.ref + 0) and target.deleted_at is null and ((target.name || '') = $2) offset 0) offset 0)
  -- [19,"a"]

# MultiReference 20: one
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0)
  -- [20,5]

# MultiReference 20: between
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) >= $2 and (v.ref + 0) < $3 offset 0)
  -- [20,5,6]

# MultiReference 20: absent
not exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0)
  -- [20]

# File 21: one
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') = $2 offset 0)
  -- [21,"a.pdf"]

# File 21: long
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and case when v.text is not null then coalesce(v.long, v.text) end = $2 offset 0)
  -- [21,"é×600"]

# a tag
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0)
  -- [0,7]

# two tags
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = any($2::bigint[]) offset 0)
  -- [0,[7,8]]

# eight tags
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = any($2::bigint[]) offset 0)
  -- [0,[1,2,3,4,5,6,7,8]]

# nine tags
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = any($2::bigint[]) offset 0)
  -- [0,[1,2,3,4,5,6,7,8,9]]

# some tag
exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0)
  -- [0]

# items
(i.id + 0) = any($1::bigint[])
  -- [[3,4]]

# ids
(i.id + 0) = any($1::bigint[])
  -- [[3,4]]

# changed
exists (select 1 from audit_event e where e.item_id = i.item_id and e.event_id >= $1 and e.event_id < $2 limit 1 offset 0)
  -- ["01","02"]

# a text
exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) offset 0)
  -- ["abc","abc"]

# a short text
exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) offset 0)
  -- ["ab","ab"]

# a long text
exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) offset 0)
  -- ["abcdefghijklmnop","abcdefghijklmnop"]

# a text in the name
exists (select 1 from item_text t where t.id = i.id and coalesce(strpos(t.name, $1) > 0, false) offset 0)
  -- ["abc"]

# a text in the description
exists (select 1 from item_text t where t.id = i.id and coalesce(strpos(t.description, $1) > 0, false) offset 0)
  -- ["abc"]

# a whole name
exists (select 1 from item_text t where t.id = i.id and (t.name || '') = $1 offset 0)
  -- ["abc"]

# a whole long name
exists (select 1 from item_text t where t.id = i.id and (t.name || '') = $1 offset 0)
  -- ["é×600"]

# the start of a name
exists (select 1 from item_text t where t.id = i.id and substr(t.name, 1, 2) = $1 offset 0)
  -- ["a😀"]

# the start of a word
exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) and (coalesce(strpos(t.name, $2) > 0, false) or coalesce(strpos(t.name, $3) > 0, false) or coalesce(strpos(t.name, $4) > 0, false) or coalesce(strpos(t.name, $5) > 0, false) or coalesce(strpos(t.name, $6) > 0, false) or coalesce(strpos(t.name, $7) > 0, false) or coalesce(strpos(t.name, $8) > 0, false) or coalesce(strpos(t.name, $9) > 0, false) or coalesce(strpos(t.name, $10) > 0, false) or coalesce(strpos(t.name, $11) > 0, false) or coalesce(strpos(t.name, $12) > 0, false) or coalesce(strpos(t.name, $13) > 0, false) or coalesce(strpos(t.name, $14) > 0, false) or coalesce(strpos(t.name, $15) > 0, false) or coalesce(strpos(t.name, $16) > 0, false) or coalesce(strpos(t.name, $17) > 0, false) or coalesce(strpos(t.name, $18) > 0, false) or coalesce(strpos(t.name, $19) > 0, false) or coalesce(strpos(t.name, $20) > 0, false) or coalesce(strpos(t.name, $21) > 0, false) or coalesce(strpos(t.name, $22) > 0, false) or coalesce(strpos(t.name, $23) > 0, false) or coalesce(strpos(t.name, $24) > 0, false) or coalesce(strpos(t.name, $25) > 0, false) or coalesce(strpos(t.name, $26) > 0, false) or coalesce(strpos(t.name, $27) > 0, false) or coalesce(strpos(t.name, $28) > 0, false) or coalesce(strpos(t.name, $29) > 0, false) or coalesce(strpos(t.name, $30) > 0, false) or coalesce(strpos(t.name, $31) > 0, false) or coalesce(strpos(t.name, $32) > 0, false) or coalesce(strpos(t.name, $33) > 0, false) or coalesce(strpos(t.name, $34) > 0, false) or coalesce(strpos(t.name, $35) > 0, false))) offset 0)
  -- ["abc"," abc","-abc","/abc","\\abc","(abc","[abc","{abc","<abc","\"abc","'abc",".abc",",abc",":abc",";abc","_abc","#abc","&abc","+abc","@abc","|abc","–abc","—abc","„abc","“abc","”abc","‚abc","‘abc","’abc","«abc","»abc","‹abc","›abc","¿abc","¡abc"]

# the start of a word, short
exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) and (coalesce(strpos(t.name, $2) > 0, false) or coalesce(strpos(t.name, $3) > 0, false) or coalesce(strpos(t.name, $4) > 0, false) or coalesce(strpos(t.name, $5) > 0, false) or coalesce(strpos(t.name, $6) > 0, false) or coalesce(strpos(t.name, $7) > 0, false) or coalesce(strpos(t.name, $8) > 0, false) or coalesce(strpos(t.name, $9) > 0, false) or coalesce(strpos(t.name, $10) > 0, false) or coalesce(strpos(t.name, $11) > 0, false) or coalesce(strpos(t.name, $12) > 0, false) or coalesce(strpos(t.name, $13) > 0, false) or coalesce(strpos(t.name, $14) > 0, false) or coalesce(strpos(t.name, $15) > 0, false) or coalesce(strpos(t.name, $16) > 0, false) or coalesce(strpos(t.name, $17) > 0, false) or coalesce(strpos(t.name, $18) > 0, false) or coalesce(strpos(t.name, $19) > 0, false) or coalesce(strpos(t.name, $20) > 0, false) or coalesce(strpos(t.name, $21) > 0, false) or coalesce(strpos(t.name, $22) > 0, false) or coalesce(strpos(t.name, $23) > 0, false) or coalesce(strpos(t.name, $24) > 0, false) or coalesce(strpos(t.name, $25) > 0, false) or coalesce(strpos(t.name, $26) > 0, false) or coalesce(strpos(t.name, $27) > 0, false) or coalesce(strpos(t.name, $28) > 0, false) or coalesce(strpos(t.name, $29) > 0, false) or coalesce(strpos(t.name, $30) > 0, false) or coalesce(strpos(t.name, $31) > 0, false) or coalesce(strpos(t.name, $32) > 0, false) or coalesce(strpos(t.name, $33) > 0, false) or coalesce(strpos(t.name, $34) > 0, false) or coalesce(strpos(t.name, $35) > 0, false))) offset 0)
  -- ["a"," a","-a","/a","\\a","(a","[a","{a","<a","\"a","'a",".a",",a",":a",";a","_a","#a","&a","+a","@a","|a","–a","—a","„a","“a","”a","‚a","‘a","’a","«a","»a","‹a","›a","¿a","¡a"]

# a text, some not folded
exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) and (t.id <= $3 or t.id > $4) offset 0)
  -- ["abc","abc",3,9]

# a name, some not folded
exists (select 1 from item_text t where t.id = i.id and substr(t.name, 1, 3) = $1 and (t.id <= $2 or t.id > $3) offset 0)
  -- ["abc",3,9]

# a short text, some not folded
exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) and (t.id <= $3 or t.id > $4) offset 0)
  -- ["ab","ab",3,9]

# a text, some waiting
exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) offset 0)
  -- ["abc","abc"]

# a name, some waiting
exists (select 1 from item_text t where t.id = i.id and (t.name || '') = $1 offset 0)
  -- ["abc"]

# the start of a name, some waiting
exists (select 1 from item_text t where t.id = i.id and substr(t.name, 1, 3) = $1 offset 0)
  -- ["abc"]

# a text, some waiting, some not folded
exists (select 1 from item_text t where t.id = i.id and coalesce(strpos(t.name, $1) > 0, false) and (t.id <= $2 or t.id > $3) offset 0)
  -- ["abc",3,9]

# a short text, some waiting
exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) offset 0)
  -- ["ab","ab"]

# a hop to a name
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and ((i0.name || '') = $2) offset 0)
  -- [19,"a"]

# a hop to one of two names
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and ((i0.name || '') = any($2::text[])) offset 0)
  -- [19,["a","b"]]

# a hop to one of two long names
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and ((i0.name || '') = any($2::text[])) offset 0)
  -- [19,["é×600","é×600x"]]

# a hop to a description
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and (i0.description is not null and (i0.description || '') = $2) offset 0)
  -- [19,"a"]

# a hop to a value
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $2 and (v.num + 0) = $3 offset 0) offset 0)
  -- [19,12,1]

# a hop to no value
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and not exists (select 1 from field_value v where v.item = i0.id and v.field = $2 offset 0) offset 0)
  -- [19,12]

# a hop to none of some
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and not exists (select 1 from field_value v where v.item = i0.id and v.field = $2 and (v.num + 0) = $3 offset 0) offset 0)
  -- [19,13,1]

# a hop to none of some that there are
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $2 and ((v.num + 0) = $3) is not true offset 0) offset 0)
  -- [19,13,1]

# a hop to a part
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $2 and coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $3) > 0, false) offset 0) offset 0)
  -- [19,11,"a"]

# a hop to a tag
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $2 and (v.ref + 0) = $3 offset 0) offset 0)
  -- [19,0,7]

# a hop to any tag
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $2 offset 0) offset 0)
  -- [19,0]

# a hop to a text
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and exists (select 1 from item_text t where t.id = h0.ref and (coalesce(strpos(t.name, $2) > 0, false) or coalesce(strpos(t.description, $3) > 0, false)) offset 0) offset 0)
  -- [19,"abc","abc"]

# a hop to an item
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and (i0.id + 0) = $2 offset 0)
  -- [19,3]

# a hop to a list
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and (h0.ref + 0) = $2 offset 0)
  -- [19,3]

# a hop to whatever
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and true offset 0)
  -- [19]

# a hop to nothing
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and false offset 0)
  -- [19]

# a hop to not
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and not exists (select 1 from field_value v where v.item = i0.id and v.field = $2 and (v.ref + 0) = $3 offset 0) offset 0)
  -- [19,0,7]

# a hop to what changed
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and exists (select 1 from audit_event e where e.item_id = i0.item_id and e.event_id >= $2 and e.event_id < $3 limit 1 offset 0) offset 0)
  -- [19,"01","02"]

# a hop to what is referred to
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and exists (select 1 from field_value r1 where r1.field = $2 and r1.ref = i0.id order by r1.item limit 1 offset 0) offset 0)
  -- [19,19]

# two hops
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and exists (select 1 from field_value h1 where h1.item = h0.ref and h1.field = $2 and exists (select 1 from field_value v where v.item = h1.ref and v.field = $3 and (v.num + 0) = $4 offset 0) offset 0) offset 0)
  -- [19,19,12,1]

# a hop to several
exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $2 and (v.num + 0) = $3 offset 0) offset 0)
  -- [20,12,1]

# a hop to several that nothing drives
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and not exists (select 1 from field_value v where v.item = i0.id and v.field = $2 offset 0) offset 0)
  -- [20,12]

# referred to
exists (select 1 from field_value r0 where r0.field = $1 and r0.ref = i.id order by r0.item limit 1 offset 0)
  -- [19]

# referred to by a value
exists (select 1 from field_value r0 where r0.field = $1 and r0.ref = i.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $2 and (v.num + 0) = $3 offset 0) order by r0.item limit 1 offset 0)
  -- [19,12,1]

# referred to by a name
exists (select 1 from field_value r0 cross join lateral (select * from item e where e.id = r0.item offset 0) j0 where r0.field = $1 and r0.ref = i.id and ((j0.name || '') = $2) order by r0.item limit 1 offset 0)
  -- [19,"a"]

# referred to by a name or a value
exists (select 1 from field_value r0 cross join lateral (select * from item e where e.id = r0.item offset 0) j0 where r0.field = $1 and r0.ref = i.id and (((j0.name || '') = $2) or exists (select 1 from field_value v where v.item = r0.item and v.field = $3 and (v.num + 0) = $4 offset 0)) order by r0.item limit 1 offset 0)
  -- [19,"a",12,1]

# referred to by three
(select count(*) from (select 1 from field_value r0 where r0.field = $1 and r0.ref = i.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $2 and (v.num + 0) = $3 offset 0) order by r0.item limit 3) c0) >= $4
  -- [19,12,1,3]

# referred to by exactly one
(select count(*) from (select 1 from field_value r0 where r0.field = $1 and r0.ref = i.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $2 and (v.num + 0) = $3 offset 0) order by r0.item limit 2) c0) between $4 and $5
  -- [19,12,1,1,1]

# referred to by two to four
(select count(*) from (select 1 from field_value r0 where r0.field = $1 and r0.ref = i.id order by r0.item limit 5) c0) between $2 and $3
  -- [19,2,4]

# referred to by what is referred to
exists (select 1 from field_value r0 where r0.field = $1 and r0.ref = i.id and exists (select 1 from field_value r1 cross join lateral (select * from item e where e.id = r1.item offset 0) j1 where r1.field = $2 and r1.ref = r0.item and ((j1.name || '') = $3) order by r1.item limit 1 offset 0) order by r0.item limit 1 offset 0)
  -- [19,19,"a"]

# referred to by what hops
exists (select 1 from field_value r0 where r0.field = $1 and r0.ref = i.id and exists (select 1 from field_value h1 cross join lateral (select * from item e where e.id = h1.ref offset 0) i1 where h1.item = r0.item and h1.field = $2 and i1.deleted_at is null and ((i1.name || '') = $3) offset 0) order by r0.item limit 1 offset 0)
  -- [19,19,"a"]

# and
(((i.name || '') = $1) and exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.num + 0) = $3 offset 0))
  -- ["a",12,1]

# and of what has no order
(exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) > $2 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.text || '') > $4 offset 0))
  -- [12,1,11,"a"]

# and, the second in order
(exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) > $2 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 offset 0))
  -- [12,1,0,7]

# and of what nothing drives
(not exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0) and not exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.ref + 0) = $3 offset 0))
  -- [12,0,7]

# or
(((i.name || '') = $1) or exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.num + 0) = $3 offset 0))
  -- ["a",12,1]

# or with what nothing drives
(((i.name || '') = $1) or not exists (select 1 from field_value v where v.item = i.id and v.field = $2 offset 0))
  -- ["a",12]

# or of and
(exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0) or (exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.num + 0) > $4 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.ref + 0) = $6 offset 0)))
  -- [0,7,12,1,0,8]

# not
not exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0)
  -- [0,7]

# not of and
not (exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0) and not exists (select 1 from field_value v where v.item = i.id and v.field = $3 offset 0))
  -- [0,7,12]

# sixty-four alternatives
(((((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.ref + 0) = $6 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $7 and (v.ref + 0) = $8 limit 1 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $9 and (v.ref + 0) = $10 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $11 and (v.ref + 0) = $12 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $13 and (v.ref + 0) = $14 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $15 and (v.ref + 0) = $16 limit 1 offset 0)))) or (((exists (select 1 from field_value v where v.item = i.id and v.field = $17 and (v.ref + 0) = $18 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $19 and (v.ref + 0) = $20 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $21 and (v.ref + 0) = $22 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $23 and (v.ref + 0) = $24 limit 1 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $25 and (v.ref + 0) = $26 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $27 and (v.ref + 0) = $28 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $29 and (v.ref + 0) = $30 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $31 and (v.ref + 0) = $32 limit 1 offset 0))))) or ((((exists (select 1 from field_value v where v.item = i.id and v.field = $33 and (v.ref + 0) = $34 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $35 and (v.ref + 0) = $36 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $37 and (v.ref + 0) = $38 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $39 and (v.ref + 0) = $40 limit 1 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $41 and (v.ref + 0) = $42 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $43 and (v.ref + 0) = $44 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $45 and (v.ref + 0) = $46 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $47 and (v.ref + 0) = $48 limit 1 offset 0)))) or (((exists (select 1 from field_value v where v.item = i.id and v.field = $49 and (v.ref + 0) = $50 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $51 and (v.ref + 0) = $52 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $53 and (v.ref + 0) = $54 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $55 and (v.ref + 0) = $56 limit 1 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $57 and (v.ref + 0) = $58 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $59 and (v.ref + 0) = $60 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $61 and (v.ref + 0) = $62 limit 1 offset 0) or (exists (select 1 from field_value v where v.item = i.id and v.field = $63 and (v.ref + 0) = $64 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $65 and ((((((v.num + 0) = $66 or (v.num + 0) = $67) or ((v.num + 0) = $68 or (v.num + 0) = $69)) or (((v.num + 0) = $70 or (v.num + 0) = $71) or ((v.num + 0) = $72 or (v.num + 0) = $73))) or ((((v.num + 0) = $74 or (v.num + 0) = $75) or ((v.num + 0) = $76 or (v.num + 0) = $77)) or (((v.num + 0) = $78 or (v.num + 0) = $79) or ((v.num + 0) = $80 or (v.num + 0) = $81)))) or (((((v.num + 0) = $82 or (v.num + 0) = $83) or ((v.num + 0) = $84 or (v.num + 0) = $85)) or (((v.num + 0) = $86 or (v.num + 0) = $87) or ((v.num + 0) = $88 or (v.num + 0) = $89))) or ((((v.num + 0) = $90 or (v.num + 0) = $91) or ((v.num + 0) = $92 or (v.num + 0) = $93)) or (((v.num + 0) = $94 or (v.num + 0) = $95) or ((v.num + 0) = $96 or (v.num + 0) = $97))))) limit 1 offset 0)))))))
  -- [0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,12,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]

# sixty-five alternatives
(((((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.ref + 0) = $6 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $7 and (v.ref + 0) = $8 limit 1 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $9 and (v.ref + 0) = $10 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $11 and (v.ref + 0) = $12 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $13 and (v.ref + 0) = $14 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $15 and (v.ref + 0) = $16 limit 1 offset 0)))) or (((exists (select 1 from field_value v where v.item = i.id and v.field = $17 and (v.ref + 0) = $18 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $19 and (v.ref + 0) = $20 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $21 and (v.ref + 0) = $22 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $23 and (v.ref + 0) = $24 limit 1 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $25 and (v.ref + 0) = $26 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $27 and (v.ref + 0) = $28 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $29 and (v.ref + 0) = $30 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $31 and (v.ref + 0) = $32 limit 1 offset 0))))) or ((((exists (select 1 from field_value v where v.item = i.id and v.field = $33 and (v.ref + 0) = $34 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $35 and (v.ref + 0) = $36 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $37 and (v.ref + 0) = $38 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $39 and (v.ref + 0) = $40 limit 1 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $41 and (v.ref + 0) = $42 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $43 and (v.ref + 0) = $44 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $45 and (v.ref + 0) = $46 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $47 and (v.ref + 0) = $48 limit 1 offset 0)))) or (((exists (select 1 from field_value v where v.item = i.id and v.field = $49 and (v.ref + 0) = $50 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $51 and (v.ref + 0) = $52 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $53 and (v.ref + 0) = $54 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $55 and (v.ref + 0) = $56 limit 1 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $57 and (v.ref + 0) = $58 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $59 and (v.ref + 0) = $60 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $61 and (v.ref + 0) = $62 limit 1 offset 0) or (exists (select 1 from field_value v where v.item = i.id and v.field = $63 and (v.ref + 0) = $64 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $65 and ((((((v.num + 0) = $66 or (v.num + 0) = $67) or ((v.num + 0) = $68 or (v.num + 0) = $69)) or (((v.num + 0) = $70 or (v.num + 0) = $71) or ((v.num + 0) = $72 or (v.num + 0) = $73))) or ((((v.num + 0) = $74 or (v.num + 0) = $75) or ((v.num + 0) = $76 or (v.num + 0) = $77)) or (((v.num + 0) = $78 or (v.num + 0) = $79) or ((v.num + 0) = $80 or (v.num + 0) = $81)))) or (((((v.num + 0) = $82 or (v.num + 0) = $83) or ((v.num + 0) = $84 or (v.num + 0) = $85)) or (((v.num + 0) = $86 or (v.num + 0) = $87) or ((v.num + 0) = $88 or (v.num + 0) = $89))) or ((((v.num + 0) = $90 or (v.num + 0) = $91) or ((v.num + 0) = $92 or (v.num + 0) = $93)) or (((v.num + 0) = $94 or (v.num + 0) = $95) or ((v.num + 0) = $96 or ((v.num + 0) = $97 or (v.num + 0) = $98)))))) limit 1 offset 0)))))))
  -- [0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,12,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33]

# eight alternatives
(((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) = $2 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.num + 0) = $4 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.num + 0) = $6 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $7 and (v.num + 0) = $8 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $9 and (v.num + 0) = $10 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $11 and (v.num + 0) = $12 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $13 and (v.num + 0) = $14 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $15 and (v.num + 0) = $16 offset 0))))
  -- [12,1,12,2,12,3,12,4,12,5,12,6,12,7,12,8]

# nine alternatives
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((((v.num + 0) = $2 or (v.num + 0) = $3) or ((v.num + 0) = $4 or (v.num + 0) = $5)) or (((v.num + 0) = $6 or (v.num + 0) = $7) or ((v.num + 0) = $8 or ((v.num + 0) = $9 or (v.num + 0) = $10)))) limit 1 offset 0)
  -- [12,1,2,3,4,5,6,7,8,9]

# nine alternatives of one of several values
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((((v.text || '') = $2 or (v.text || '') = $3) or ((v.text || '') = $4 or (v.text || '') = $5)) or (((v.text || '') = $6 or (v.text || '') = $7) or ((v.text || '') = $8 or ((v.text || '') = $9 or (v.text || '') = $10)))) limit 1 offset 0)
  -- [18,"1","2","3","4","5","6","7","8","9"]

# nine of one of several values
(((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.text || '') = $2 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.text || '') = $4 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.text || '') = $6 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $7 and (v.text || '') = $8 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $9 and (v.text || '') = $10 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $11 and (v.text || '') = $12 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $13 and (v.text || '') = $14 limit 1 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $15 and (v.text || '') = $16 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $17 and (v.text || '') = $18 limit 1 offset 0)))))
  -- [18,"1",18,"2",18,"3",18,"4",18,"5",18,"6",18,"7",18,"8",18,"9"]

# nine of one value
(((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((v.text || '') = $2) is not true limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $3 and ((v.text || '') = $4) is not true limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and ((v.text || '') = $6) is not true limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $7 and ((v.text || '') = $8) is not true limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $9 and ((v.text || '') = $10) is not true limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $11 and ((v.text || '') = $12) is not true limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $13 and ((v.text || '') = $14) is not true limit 1 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $15 and ((v.text || '') = $16) is not true limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $17 and ((v.text || '') = $18) is not true limit 1 offset 0)))))
  -- [11,"1",11,"2",11,"3",11,"4",11,"5",11,"6",11,"7",11,"8",11,"9"]

# nine ranges
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((((v.text || '') > $2 and (v.text || '') > $3) and ((v.text || '') > $4 and (v.text || '') > $5)) and (((v.text || '') > $6 and (v.text || '') > $7) and ((v.text || '') > $8 and ((v.text || '') > $9 and (v.text || '') > $10)))) limit 1 offset 0)
  -- [11,"1","2","3","4","5","6","7","8","9"]

# nine beginnings
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((((v.text || '') >= $2 and (v.text || '') < $3 or (v.text || '') >= $4 and (v.text || '') < $5) or ((v.text || '') >= $6 and (v.text || '') < $7 or (v.text || '') >= $8 and (v.text || '') < $9)) or (((v.text || '') >= $10 and (v.text || '') < $11 or (v.text || '') >= $12 and (v.text || '') < $13) or ((v.text || '') >= $14 and (v.text || '') < $15 or ((v.text || '') >= $16 and (v.text || '') < $17 or (v.text || '') >= $18 and (v.text || '') < $19)))) limit 1 offset 0)
  -- [11,"1","2","2","3","3","4","4","5","5","6","6","7","7","8","8","9","9",":"]

# nine parts
exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (((coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $2) > 0, false) or coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $3) > 0, false)) or (coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $4) > 0, false) or coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $5) > 0, false))) or ((coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $6) > 0, false) or coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $7) > 0, false)) or (coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $8) > 0, false) or (coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $9) > 0, false) or coalesce(strpos(case when v.text is not null then coalesce(v.long, v.text) end, $10) > 0, false))))) limit 1 offset 0)
  -- [11,"1","2","3","4","5","6","7","8","9"]

# nine parts and one
(exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((((v.text || '') = $2 or (v.text || '') = $3) or ((v.text || '') = $4 or (v.text || '') = $5)) or (((v.text || '') = $6 or (v.text || '') = $7) or ((v.text || '') = $8 or ((v.text || '') = $9 or (v.text || '') = $10)))) limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $11 limit 1 offset 0))
  -- [11,"1","2","3","4","5","6","7","8","9",11]

# nine texts
exists (select 1 from item_text t where t.id = i.id and ((((coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) or (coalesce(strpos(t.name, $3) > 0, false) or coalesce(strpos(t.description, $4) > 0, false))) or ((coalesce(strpos(t.name, $5) > 0, false) or coalesce(strpos(t.description, $6) > 0, false)) or (coalesce(strpos(t.name, $7) > 0, false) or coalesce(strpos(t.description, $8) > 0, false)))) or (((coalesce(strpos(t.name, $9) > 0, false) or coalesce(strpos(t.description, $10) > 0, false)) or (coalesce(strpos(t.name, $11) > 0, false) or coalesce(strpos(t.description, $12) > 0, false))) or ((coalesce(strpos(t.name, $13) > 0, false) or coalesce(strpos(t.description, $14) > 0, false)) or ((coalesce(strpos(t.name, $15) > 0, false) or coalesce(strpos(t.description, $16) > 0, false)) or (coalesce(strpos(t.name, $17) > 0, false) or coalesce(strpos(t.description, $18) > 0, false)))))) limit 1 offset 0)
  -- ["text 1","text 1","text 2","text 2","text 3","text 3","text 4","text 4","text 5","text 5","text 6","text 6","text 7","text 7","text 8","text 8","text 9","text 9"]

# nine texts, one not folded
(exists (select 1 from item_text t where t.id = i.id and ((((coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) or (coalesce(strpos(t.name, $3) > 0, false) or coalesce(strpos(t.description, $4) > 0, false))) or ((coalesce(strpos(t.name, $5) > 0, false) or coalesce(strpos(t.description, $6) > 0, false)) or (coalesce(strpos(t.name, $7) > 0, false) or coalesce(strpos(t.description, $8) > 0, false)))) or (((coalesce(strpos(t.name, $9) > 0, false) or coalesce(strpos(t.description, $10) > 0, false)) or (coalesce(strpos(t.name, $11) > 0, false) or coalesce(strpos(t.description, $12) > 0, false))) or ((coalesce(strpos(t.name, $13) > 0, false) or coalesce(strpos(t.description, $14) > 0, false)) or (coalesce(strpos(t.name, $15) > 0, false) or coalesce(strpos(t.description, $16) > 0, false))))) limit 1 offset 0) or exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $17) > 0, false) or coalesce(strpos(t.description, $18) > 0, false)) and (t.id <= $19 or t.id > $20) limit 1 offset 0))
  -- ["text 1","text 1","text 2","text 2","text 3","text 3","text 4","text 4","text 5","text 5","text 6","text 6","text 7","text 7","text 8","text 8","abc","abc",3,9]

# all of nine texts
exists (select 1 from item_text t where t.id = i.id and ((((coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) and (coalesce(strpos(t.name, $3) > 0, false) or coalesce(strpos(t.description, $4) > 0, false))) and ((coalesce(strpos(t.name, $5) > 0, false) or coalesce(strpos(t.description, $6) > 0, false)) and (coalesce(strpos(t.name, $7) > 0, false) or coalesce(strpos(t.description, $8) > 0, false)))) and (((coalesce(strpos(t.name, $9) > 0, false) or coalesce(strpos(t.description, $10) > 0, false)) and (coalesce(strpos(t.name, $11) > 0, false) or coalesce(strpos(t.description, $12) > 0, false))) and ((coalesce(strpos(t.name, $13) > 0, false) or coalesce(strpos(t.description, $14) > 0, false)) and ((coalesce(strpos(t.name, $15) > 0, false) or coalesce(strpos(t.description, $16) > 0, false)) and (coalesce(strpos(t.name, $17) > 0, false) or coalesce(strpos(t.description, $18) > 0, false)))))) limit 1 offset 0)
  -- ["text 1","text 1","text 2","text 2","text 3","text 3","text 4","text 4","text 5","text 5","text 6","text 6","text 7","text 7","text 8","text 8","text 9","text 9"]

# none of nine
not exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((((v.num + 0) = $2 or (v.num + 0) = $3) or ((v.num + 0) = $4 or (v.num + 0) = $5)) or (((v.num + 0) = $6 or (v.num + 0) = $7) or ((v.num + 0) = $8 or ((v.num + 0) = $9 or (v.num + 0) = $10)))) limit 1 offset 0)
  -- [12,1,2,3,4,5,6,7,8,9]

# not all of nine
not exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((((v.num + 0) = $2 and (v.num + 0) = $3) and ((v.num + 0) = $4 and (v.num + 0) = $5)) and (((v.num + 0) = $6 and (v.num + 0) = $7) and ((v.num + 0) = $8 and ((v.num + 0) = $9 and (v.num + 0) = $10)))) limit 1 offset 0)
  -- [12,1,2,3,4,5,6,7,8,9]

# nine hops
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and exists (select 1 from field_value v where v.item = i0.id and v.field = $2 and ((((v.num + 0) = $3 or (v.num + 0) = $4) or ((v.num + 0) = $5 or (v.num + 0) = $6)) or (((v.num + 0) = $7 or (v.num + 0) = $8) or ((v.num + 0) = $9 or ((v.num + 0) = $10 or (v.num + 0) = $11)))) limit 1 offset 0) limit 1 offset 0)
  -- [19,12,1,2,3,4,5,6,7,8,9]

# all of nine hops
exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = i.id and h0.field = $1 and i0.deleted_at is null and exists (select 1 from field_value v where v.item = i0.id and v.field = $2 and ((((v.num + 0) = $3 and (v.num + 0) = $4) and ((v.num + 0) = $5 and (v.num + 0) = $6)) and (((v.num + 0) = $7 and (v.num + 0) = $8) and ((v.num + 0) = $9 and ((v.num + 0) = $10 and (v.num + 0) = $11)))) limit 1 offset 0) limit 1 offset 0)
  -- [19,12,1,2,3,4,5,6,7,8,9]

# all of nine hops to several
(((exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $1 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $2 and (v.num + 0) = $3 limit 1 offset 0) limit 1 offset 0) and exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $4 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $5 and (v.num + 0) = $6 limit 1 offset 0) limit 1 offset 0)) and (exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $7 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $8 and (v.num + 0) = $9 limit 1 offset 0) limit 1 offset 0) and exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $10 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $11 and (v.num + 0) = $12 limit 1 offset 0) limit 1 offset 0))) and ((exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $13 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $14 and (v.num + 0) = $15 limit 1 offset 0) limit 1 offset 0) and exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $16 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $17 and (v.num + 0) = $18 limit 1 offset 0) limit 1 offset 0)) and (exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $19 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $20 and (v.num + 0) = $21 limit 1 offset 0) limit 1 offset 0) and (exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $22 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $23 and (v.num + 0) = $24 limit 1 offset 0) limit 1 offset 0) and exists (select 1 from field_value h0 where h0.item = i.id and h0.field = $25 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $26 and (v.num + 0) = $27 limit 1 offset 0) limit 1 offset 0)))))
  -- [20,12,1,20,12,2,20,12,3,20,12,4,20,12,5,20,12,6,20,12,7,20,12,8,20,12,9]

# nine, two of a field
(((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and ((v.text || '') = $2 or (v.text || '') > $3) limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $6 and (v.ref + 0) = $7 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $8 and (v.ref + 0) = $9 limit 1 offset 0))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $10 and (v.ref + 0) = $11 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $12 and (v.ref + 0) = $13 limit 1 offset 0)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $14 and (v.ref + 0) = $15 limit 1 offset 0) or exists (select 1 from field_value v where v.item = i.id and v.field = $16 and (v.ref + 0) = $17 limit 1 offset 0))))
  -- [11,"a","b",0,1,0,2,0,3,0,4,0,5,0,6,0,7]

# nine of nine kinds
(((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 limit 1 offset 0) or ((i.name || '') = $3)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 limit 1 offset 0) or ((i.name || '') = $6))) or ((exists (select 1 from field_value v where v.item = i.id and v.field = $7 and (v.ref + 0) = $8 limit 1 offset 0) or ((i.name || '') = $9)) or (exists (select 1 from field_value v where v.item = i.id and v.field = $10 and (v.ref + 0) = $11 limit 1 offset 0) or (((i.name || '') = $12) or exists (select 1 from field_value v where v.item = i.id and v.field = $13 and (v.ref + 0) = $14 limit 1 offset 0)))))
  -- [0,1,"2",0,3,"4",0,5,"6",0,7,"8",0,9]
