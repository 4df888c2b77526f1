# no key
with s as materialized (select m.item from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s order by s.item
  -- [0,7,0,7]

# no key, after a place
with s as materialized (select m.item from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s where s.item > $5 order by s.item limit $6
  -- [0,7,0,7,9,3]

# no key, backwards
with s as materialized (select m.item from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s where s.item < $5 order by s.item desc limit $6
  -- [0,7,0,7,9,3]

# a name
with s as materialized (select m.item, (select o.name from item o where o.id = m.item) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s order by s.k0 is null, s.k0, s.item
  -- [0,7,0,7]

# a name, after a place
with s as materialized (select m.item, (select o.name from item o where o.id = m.item) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s where (s.k0 > $5 or s.k0 is null or (s.k0 = $6 and s.item > $7)) order by s.k0 is null, s.k0, s.item limit $8
  -- [0,7,0,7,2,2,9,3]

# a name, backwards
with s as materialized (select m.item, (select o.name from item o where o.id = m.item) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s where (s.k0 > $5 or s.k0 is null or (s.k0 = $6 and s.item < $7)) order by s.k0 is null, s.k0, s.item desc limit $8
  -- [0,7,0,7,2,2,9,3]

# a name backwards, then a number
with s as materialized (select m.item, (select o.name from item o where o.id = m.item) as k0, (select o.num from field_value o where o.item = m.item and o.field = $1 and (o.num + 0) is not null) as k1 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $2 and v.ref = $3) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0)) m) select s.item as item from s order by s.k0 is null, s.k0 desc, s.k1 is null, s.k1, s.item
  -- [12,0,7,0,7]

# a name backwards, then a number, after a place
with s as materialized (select m.item, (select o.name from item o where o.id = m.item) as k0, (select o.num from field_value o where o.item = m.item and o.field = $1 and (o.num + 0) is not null) as k1 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $2 and v.ref = $3) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0)) m) select s.item as item from s where (s.k0 < $6 or s.k0 is null or (s.k0 = $7 and (s.k1 is null and s.item > $8))) order by s.k0 is null, s.k0 desc, s.k1 is null, s.k1, s.item limit $9
  -- [12,0,7,0,7,2,2,9,3]

# a name backwards, then a number, backwards
with s as materialized (select m.item, (select o.name from item o where o.id = m.item) as k0, (select o.num from field_value o where o.item = m.item and o.field = $1 and (o.num + 0) is not null) as k1 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $2 and v.ref = $3) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0)) m) select s.item as item from s where (s.k0 < $6 or s.k0 is null or (s.k0 = $7 and (s.k1 is null and s.item < $8))) order by s.k0 is null, s.k0 desc, s.k1 is null, s.k1, s.item desc limit $9
  -- [12,0,7,0,7,2,2,9,3]

# a Select
with s as materialized (select m.item, (select case o.text when $1 then 0 when $2 then 1 when $3 then 2 end from field_value o where o.item = m.item and o.field = $4 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $5 and v.ref = $6) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $7 and (v.ref + 0) = $8 offset 0)) m) select s.item as item from s order by s.k0 is null, s.k0 desc, s.item
  -- ["new","begun","done",16,0,7,0,7]

# a Select, after a place
with s as materialized (select m.item, (select case o.text when $1 then 0 when $2 then 1 when $3 then 2 end from field_value o where o.item = m.item and o.field = $4 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $5 and v.ref = $6) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $7 and (v.ref + 0) = $8 offset 0)) m) select s.item as item from s where (s.k0 < $9 or s.k0 is null or (s.k0 = $10 and s.item > $11)) order by s.k0 is null, s.k0 desc, s.item limit $12
  -- ["new","begun","done",16,0,7,0,7,2,2,9,3]

# a Select, backwards
with s as materialized (select m.item, (select case o.text when $1 then 0 when $2 then 1 when $3 then 2 end from field_value o where o.item = m.item and o.field = $4 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $5 and v.ref = $6) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $7 and (v.ref + 0) = $8 offset 0)) m) select s.item as item from s where (s.k0 < $9 or s.k0 is null or (s.k0 = $10 and s.item < $11)) order by s.k0 is null, s.k0 desc, s.item desc limit $12
  -- ["new","begun","done",16,0,7,0,7,2,2,9,3]

# a Select with long variants
with s as materialized (select m.item, (select case case when o.text is not null then coalesce(o.long, o.text) end when $1 then 0 when $2 then 1 end from field_value o where o.item = m.item and o.field = $3 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $4 and v.ref = $5) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.ref + 0) = $7 offset 0)) m) select s.item as item from s order by s.k0 is null, s.k0, s.item
  -- ["new","é×600",17,0,7,0,7]

# a Select with long variants, after a place
with s as materialized (select m.item, (select case case when o.text is not null then coalesce(o.long, o.text) end when $1 then 0 when $2 then 1 end from field_value o where o.item = m.item and o.field = $3 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $4 and v.ref = $5) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.ref + 0) = $7 offset 0)) m) select s.item as item from s where (s.k0 > $8 or s.k0 is null or (s.k0 = $9 and s.item > $10)) order by s.k0 is null, s.k0, s.item limit $11
  -- ["new","é×600",17,0,7,0,7,2,2,9,3]

# a Select with long variants, backwards
with s as materialized (select m.item, (select case case when o.text is not null then coalesce(o.long, o.text) end when $1 then 0 when $2 then 1 end from field_value o where o.item = m.item and o.field = $3 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $4 and v.ref = $5) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.ref + 0) = $7 offset 0)) m) select s.item as item from s where (s.k0 > $8 or s.k0 is null or (s.k0 = $9 and s.item < $10)) order by s.k0 is null, s.k0, s.item desc limit $11
  -- ["new","é×600",17,0,7,0,7,2,2,9,3]

# a Select without variants
with s as materialized (select m.item, null as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s order by s.k0 is null, s.k0, s.item
  -- [0,7,0,7]

# a Select without variants, after a place
with s as materialized (select m.item, null as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s where (s.k0 > $5 or s.k0 is null or (s.k0 = $6 and s.item > $7)) order by s.k0 is null, s.k0, s.item limit $8
  -- [0,7,0,7,2,2,9,3]

# a Select without variants, backwards
with s as materialized (select m.item, null as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s where (s.k0 > $5 or s.k0 is null or (s.k0 = $6 and s.item < $7)) order by s.k0 is null, s.k0, s.item desc limit $8
  -- [0,7,0,7,2,2,9,3]

# a text
with s as materialized (select m.item, (select case when o.text is not null then coalesce(o.long, o.text) end from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $2 and v.ref = $3) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0)) m) select s.item as item from s order by s.k0 is null, s.k0, s.item
  -- [11,0,7,0,7]

# a text, after a place
with s as materialized (select m.item, (select case when o.text is not null then coalesce(o.long, o.text) end from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $2 and v.ref = $3) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0)) m) select s.item as item from s where (s.k0 > $6 or s.k0 is null or (s.k0 = $7 and s.item > $8)) order by s.k0 is null, s.k0, s.item limit $9
  -- [11,0,7,0,7,2,2,9,3]

# a text, backwards
with s as materialized (select m.item, (select case when o.text is not null then coalesce(o.long, o.text) end from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null) as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $2 and v.ref = $3) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0)) m) select s.item as item from s where (s.k0 > $6 or s.k0 is null or (s.k0 = $7 and s.item < $8)) order by s.k0 is null, s.k0, s.item desc limit $9
  -- [11,0,7,0,7,2,2,9,3]

# a tier, then a length
with s as materialized (select m.item, (select case when exists (select 1 from item_text t where t.id = o.id and (t.name || '') = $1 offset 0) then 1 when exists (select 1 from item_text t where t.id = o.id and substr(t.name, 1, 3) = $2 offset 0) then 2 when (exists (select 1 from item_text t where t.id = o.id and substr(t.name, 1, 3) = $3 offset 0) or exists (select 1 from item_text t where t.id = o.id and (coalesce(strpos(t.name, $4) > 0, false) and (coalesce(strpos(t.name, $5) > 0, false) or coalesce(strpos(t.name, $6) > 0, false) or coalesce(strpos(t.name, $7) > 0, false) or coalesce(strpos(t.name, $8) > 0, false) or coalesce(strpos(t.name, $9) > 0, false) or coalesce(strpos(t.name, $10) > 0, false) or coalesce(strpos(t.name, $11) > 0, false) or coalesce(strpos(t.name, $12) > 0, false) or coalesce(strpos(t.name, $13) > 0, false) or coalesce(strpos(t.name, $14) > 0, false) or coalesce(strpos(t.name, $15) > 0, false) or coalesce(strpos(t.name, $16) > 0, false) or coalesce(strpos(t.name, $17) > 0, false) or coalesce(strpos(t.name, $18) > 0, false) or coalesce(strpos(t.name, $19) > 0, false) or coalesce(strpos(t.name, $20) > 0, false) or coalesce(strpos(t.name, $21) > 0, false) or coalesce(strpos(t.name, $22) > 0, false) or coalesce(strpos(t.name, $23) > 0, false) or coalesce(strpos(t.name, $24) > 0, false) or coalesce(strpos(t.name, $25) > 0, false) or coalesce(strpos(t.name, $26) > 0, false) or coalesce(strpos(t.name, $27) > 0, false) or coalesce(strpos(t.name, $28) > 0, false) or coalesce(strpos(t.name, $29) > 0, false) or coalesce(strpos(t.name, $30) > 0, false) or coalesce(strpos(t.name, $31) > 0, false) or coalesce(strpos(t.name, $32) > 0, false) or coalesce(strpos(t.name, $33) > 0, false) or coalesce(strpos(t.name, $34) > 0, false) or coalesce(strpos(t.name, $35) > 0, false) or coalesce(strpos(t.name, $36) > 0, false) or coalesce(strpos(t.name, $37) > 0, false) or coalesce(strpos(t.name, $38) > 0, false))) offset 0)) then 3 when exists (select 1 from item_text t where t.id = o.id and coalesce(strpos(t.name, $39) > 0, false) offset 0) then 4 when exists (select 1 from item_text t where t.id = o.id and coalesce(strpos(t.name, $40) > 0, false) offset 0) then 5 else 6 end from item o where o.id = m.item) as k0, (select length(o.name) from item o where o.id = m.item) as k1 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $41 and v.ref = $42) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $43 and (v.ref + 0) = $44 offset 0)) m) select s.item as item from s order by s.k0 is null, s.k0, s.k1 is null, s.k1, s.item
  -- ["abc","abc","abc","abc"," abc","-abc","/abc","\\abc","(abc","[abc","{abc","<abc","\"abc","'abc",".abc",",abc",":abc",";abc","_abc","#abc","&abc","+abc","@abc","|abc","–abc","—abc","„abc","“abc","”abc","‚abc","‘abc","’abc","«abc","»abc","‹abc","›abc","¿abc","¡abc","abc","abc",0,7,0,7]

# a tier, then a length, after a place
with s as materialized (select m.item, (select case when exists (select 1 from item_text t where t.id = o.id and (t.name || '') = $1 offset 0) then 1 when exists (select 1 from item_text t where t.id = o.id and substr(t.name, 1, 3) = $2 offset 0) then 2 when (exists (select 1 from item_text t where t.id = o.id and substr(t.name, 1, 3) = $3 offset 0) or exists (select 1 from item_text t where t.id = o.id and (coalesce(strpos(t.name, $4) > 0, false) and (coalesce(strpos(t.name, $5) > 0, false) or coalesce(strpos(t.name, $6) > 0, false) or coalesce(strpos(t.name, $7) > 0, false) or coalesce(strpos(t.name, $8) > 0, false) or coalesce(strpos(t.name, $9) > 0, false) or coalesce(strpos(t.name, $10) > 0, false) or coalesce(strpos(t.name, $11) > 0, false) or coalesce(strpos(t.name, $12) > 0, false) or coalesce(strpos(t.name, $13) > 0, false) or coalesce(strpos(t.name, $14) > 0, false) or coalesce(strpos(t.name, $15) > 0, false) or coalesce(strpos(t.name, $16) > 0, false) or coalesce(strpos(t.name, $17) > 0, false) or coalesce(strpos(t.name, $18) > 0, false) or coalesce(strpos(t.name, $19) > 0, false) or coalesce(strpos(t.name, $20) > 0, false) or coalesce(strpos(t.name, $21) > 0, false) or coalesce(strpos(t.name, $22) > 0, false) or coalesce(strpos(t.name, $23) > 0, false) or coalesce(strpos(t.name, $24) > 0, false) or coalesce(strpos(t.name, $25) > 0, false) or coalesce(strpos(t.name, $26) > 0, false) or coalesce(strpos(t.name, $27) > 0, false) or coalesce(strpos(t.name, $28) > 0, false) or coalesce(strpos(t.name, $29) > 0, false) or coalesce(strpos(t.name, $30) > 0, false) or coalesce(strpos(t.name, $31) > 0, false) or coalesce(strpos(t.name, $32) > 0, false) or coalesce(strpos(t.name, $33) > 0, false) or coalesce(strpos(t.name, $34) > 0, false) or coalesce(strpos(t.name, $35) > 0, false) or coalesce(strpos(t.name, $36) > 0, false) or coalesce(strpos(t.name, $37) > 0, false) or coalesce(strpos(t.name, $38) > 0, false))) offset 0)) then 3 when exists (select 1 from item_text t where t.id = o.id and coalesce(strpos(t.name, $39) > 0, false) offset 0) then 4 when exists (select 1 from item_text t where t.id = o.id and coalesce(strpos(t.name, $40) > 0, false) offset 0) then 5 else 6 end from item o where o.id = m.item) as k0, (select length(o.name) from item o where o.id = m.item) as k1 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $41 and v.ref = $42) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $43 and (v.ref + 0) = $44 offset 0)) m) select s.item as item from s where (s.k0 > $45 or s.k0 is null or (s.k0 = $46 and (s.k1 is null and s.item > $47))) order by s.k0 is null, s.k0, s.k1 is null, s.k1, s.item limit $48
  -- ["abc","abc","abc","abc"," abc","-abc","/abc","\\abc","(abc","[abc","{abc","<abc","\"abc","'abc",".abc",",abc",":abc",";abc","_abc","#abc","&abc","+abc","@abc","|abc","–abc","—abc","„abc","“abc","”abc","‚abc","‘abc","’abc","«abc","»abc","‹abc","›abc","¿abc","¡abc","abc","abc",0,7,0,7,2,2,9,3]

# a tier, then a length, backwards
with s as materialized (select m.item, (select case when exists (select 1 from item_text t where t.id = o.id and (t.name || '') = $1 offset 0) then 1 when exists (select 1 from item_text t where t.id = o.id and substr(t.name, 1, 3) = $2 offset 0) then 2 when (exists (select 1 from item_text t where t.id = o.id and substr(t.name, 1, 3) = $3 offset 0) or exists (select 1 from item_text t where t.id = o.id and (coalesce(strpos(t.name, $4) > 0, false) and (coalesce(strpos(t.name, $5) > 0, false) or coalesce(strpos(t.name, $6) > 0, false) or coalesce(strpos(t.name, $7) > 0, false) or coalesce(strpos(t.name, $8) > 0, false) or coalesce(strpos(t.name, $9) > 0, false) or coalesce(strpos(t.name, $10) > 0, false) or coalesce(strpos(t.name, $11) > 0, false) or coalesce(strpos(t.name, $12) > 0, false) or coalesce(strpos(t.name, $13) > 0, false) or coalesce(strpos(t.name, $14) > 0, false) or coalesce(strpos(t.name, $15) > 0, false) or coalesce(strpos(t.name, $16) > 0, false) or coalesce(strpos(t.name, $17) > 0, false) or coalesce(strpos(t.name, $18) > 0, false) or coalesce(strpos(t.name, $19) > 0, false) or coalesce(strpos(t.name, $20) > 0, false) or coalesce(strpos(t.name, $21) > 0, false) or coalesce(strpos(t.name, $22) > 0, false) or coalesce(strpos(t.name, $23) > 0, false) or coalesce(strpos(t.name, $24) > 0, false) or coalesce(strpos(t.name, $25) > 0, false) or coalesce(strpos(t.name, $26) > 0, false) or coalesce(strpos(t.name, $27) > 0, false) or coalesce(strpos(t.name, $28) > 0, false) or coalesce(strpos(t.name, $29) > 0, false) or coalesce(strpos(t.name, $30) > 0, false) or coalesce(strpos(t.name, $31) > 0, false) or coalesce(strpos(t.name, $32) > 0, false) or coalesce(strpos(t.name, $33) > 0, false) or coalesce(strpos(t.name, $34) > 0, false) or coalesce(strpos(t.name, $35) > 0, false) or coalesce(strpos(t.name, $36) > 0, false) or coalesce(strpos(t.name, $37) > 0, false) or coalesce(strpos(t.name, $38) > 0, false))) offset 0)) then 3 when exists (select 1 from item_text t where t.id = o.id and coalesce(strpos(t.name, $39) > 0, false) offset 0) then 4 when exists (select 1 from item_text t where t.id = o.id and coalesce(strpos(t.name, $40) > 0, false) offset 0) then 5 else 6 end from item o where o.id = m.item) as k0, (select length(o.name) from item o where o.id = m.item) as k1 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $41 and v.ref = $42) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $43 and (v.ref + 0) = $44 offset 0)) m) select s.item as item from s where (s.k0 > $45 or s.k0 is null or (s.k0 = $46 and (s.k1 is null and s.item < $47))) order by s.k0 is null, s.k0, s.k1 is null, s.k1, s.item desc limit $48
  -- ["abc","abc","abc","abc"," abc","-abc","/abc","\\abc","(abc","[abc","{abc","<abc","\"abc","'abc",".abc",",abc",":abc",";abc","_abc","#abc","&abc","+abc","@abc","|abc","–abc","—abc","„abc","“abc","”abc","‚abc","‘abc","’abc","«abc","»abc","‹abc","›abc","¿abc","¡abc","abc","abc",0,7,0,7,2,2,9,3]

# no tier
with s as materialized (select m.item, 6 as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s order by s.k0 is null, s.k0, s.item
  -- [0,7,0,7]

# no tier, after a place
with s as materialized (select m.item, 6 as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s where (s.k0 > $5 or s.k0 is null or (s.k0 = $6 and s.item > $7)) order by s.k0 is null, s.k0, s.item limit $8
  -- [0,7,0,7,2,2,9,3]

# no tier, backwards
with s as materialized (select m.item, 6 as k0 from (select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) m) select s.item as item from s where (s.k0 > $5 or s.k0 is null or (s.k0 = $6 and s.item < $7)) order by s.k0 is null, s.k0, s.item desc limit $8
  -- [0,7,0,7,2,2,9,3]

# has a value of text
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null offset 0)
  -- [11]

# has a value of number
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.num + 0) is not null offset 0)
  -- [12]

# has a value of done
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.num + 0) is not null offset 0)
  -- [13]

# has a value of due
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null offset 0)
  -- [14]

# has a value of starts
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null offset 0)
  -- [15]

# has a value of kind
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null and (o.text || '') = any($2::text[]) offset 0)
  -- [16,["new","begun","done"]]

# has a value of long_kind
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null and case when o.text is not null then coalesce(o.long, o.text) end = any($2::text[]) offset 0)
  -- [17,["new","é×600"]]

# has a value of labels
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null offset 0)
  -- [18]

# has a value of next
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.ref + 0) is not null offset 0)
  -- [19]

# has a value of people
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.ref + 0) is not null offset 0)
  -- [20]

# has a value of file
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null offset 0)
  -- [21]

# has a value of no_kind
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null and (o.text || '') = any($2::text[]) offset 0)
  -- [22,[]]

# has a value of wide_kind
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null and (o.text || '') = any($2::text[]) offset 0)
  -- [23,[…]]

# has a value of wider_kind
exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null and (o.text || '') = any($2::text[]) offset 0)
  -- [24,[…]]
