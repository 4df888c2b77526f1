# name: a
select e.id as item from item e where e.deleted_at is null and left(e.name, 501) = $1
  -- ["a"]
exists (select 1 from item e where e.id = m.item and (left(e.name, 501) || '') = $1 offset 0)
  -- ["a"]

# name backwards: a
select e.id as item from item e where e.deleted_at is null and left(e.name, 501) = $1
  -- ["a"]
exists (select 1 from item e where e.id = m.item and (left(e.name, 501) || '') = $1 offset 0)
  -- ["a"]

# created_at: a
select e.id as item from item e where e.deleted_at is null and e.created_at = $1
  -- ["a"]
exists (select 1 from item e where e.id = m.item and (e.created_at || '') = $1 offset 0)
  -- ["a"]

# name_length: a
select e.id as item from item e where e.deleted_at is null and length(e.name) = $1
  -- ["a"]
exists (select 1 from item e where e.id = m.item and (length(e.name) + 0) = $1 offset 0)
  -- ["a"]

# number: a
select e.item as item from field_value e where e.field = $1 and e.num = $2
  -- [12,"a"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.num + 0) = $2 offset 0)
  -- [12,"a"]

# number: ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
select e.item as item from field_value e where e.field = $1 and e.num = $2
  -- [12,"é×501"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.num + 0) = $2 offset 0)
  -- [12,"é×501"]

# number: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.num + 0) is not null offset 0)
  -- [12]

# number backwards: a
select e.item as item from field_value e where e.field = $1 and e.num = $2
  -- [12,"a"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.num + 0) = $2 offset 0)
  -- [12,"a"]

# number backwards: ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
select e.item as item from field_value e where e.field = $1 and e.num = $2
  -- [12,"é×501"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.num + 0) = $2 offset 0)
  -- [12,"é×501"]

# number backwards: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.num + 0) is not null offset 0)
  -- [12]

# text: a
select e.item as item from field_value e where e.field = $1 and e.text = $2
  -- [11,"a"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.text || '') = $2 offset 0)
  -- [11,"a"]

# text: ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
select e.item as item from field_value e where e.field = $1 and e.text = $2
  -- [11,"é×501"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.text || '') = $2 offset 0)
  -- [11,"é×501"]

# text: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null offset 0)
  -- [11]

# next: a
select e.item as item from field_value e where e.field = $1 and e.ref = $2
  -- [19,"a"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.ref + 0) = $2 offset 0)
  -- [19,"a"]

# next: ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
select e.item as item from field_value e where e.field = $1 and e.ref = $2
  -- [19,"é×501"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.ref + 0) = $2 offset 0)
  -- [19,"é×501"]

# next: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.ref + 0) is not null offset 0)
  -- [19]

# kind: 0
select e.item as item from field_value e where e.field = $1 and e.text = $2
  -- [16,"new"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.text || '') = $2 offset 0)
  -- [16,"new"]

# kind: 1
select e.item as item from field_value e where e.field = $1 and e.text = $2
  -- [16,"begun"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.text || '') = $2 offset 0)
  -- [16,"begun"]

# kind: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null and (o.text || '') = any($2::text[]) offset 0)
  -- [16,["new","begun","done"]]

# long kind: 0
select e.item as item from field_value e where e.field = $1 and e.text = $2
  -- [17,"new"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and (e.text || '') = $2 offset 0)
  -- [17,"new"]

# long kind: 1
select e.item as item from field_value e where e.field = $1 and e.text = $2 and case when e.text is not null then coalesce(e.long, e.text) end = $3
  -- [17,"é×501","é×600"]
exists (select 1 from field_value e where e.item = m.item and e.field = $1 and case when e.text is not null then coalesce(e.long, e.text) end = $2 offset 0)
  -- [17,"é×600"]

# long kind: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = $1 and (o.text || '') is not null and case when o.text is not null then coalesce(o.long, o.text) end = any($2::text[]) offset 0)
  -- [17,["new","é×600"]]
