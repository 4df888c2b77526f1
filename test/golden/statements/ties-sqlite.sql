# name: a
select e.id as item from item e where e.deleted_at is null and e.name = +?
  -- ["a"]
exists (select 1 from item e where e.id = m.item and +e.name = +?)
  -- ["a"]

# name backwards: a
select e.id as item from item e where e.deleted_at is null and e.name = +?
  -- ["a"]
exists (select 1 from item e where e.id = m.item and +e.name = +?)
  -- ["a"]

# created_at: a
select e.id as item from item e where e.deleted_at is null and e.created_at = +?
  -- ["a"]
exists (select 1 from item e where e.id = m.item and +e.created_at = +?)
  -- ["a"]

# name_length: a
select e.id as item from item e where e.deleted_at is null and length(e.name) = +?
  -- ["a"]
exists (select 1 from item e where e.id = m.item and +length(e.name) = +?)
  -- ["a"]

# number: a
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [12,"a"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [12,"a"]

# number: éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [12,"é×600"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [12,"é×600"]

# number: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = +? and +o.val < '')
  -- [12]

# number backwards: a
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [12,"a"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [12,"a"]

# number backwards: éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [12,"é×600"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [12,"é×600"]

# number backwards: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = +? and +o.val < '')
  -- [12]

# text: a
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [11,"a"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [11,"a"]

# text: éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [11,"é×600"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [11,"é×600"]

# text: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = +? and +o.val < x'')
  -- [11]

# next: a
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [19,"a"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [19,"a"]

# next: éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [19,"é×600"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [19,"é×600"]

# next: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = +? and +o.val < '')
  -- [19]

# kind: 0
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [16,"new"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [16,"new"]

# kind: 1
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [16,"begun"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [16,"begun"]

# kind: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = +? and +o.val < x'' and +o.val in (select value from json_each(+?)))
  -- [16,"[\"new\",\"begun\",\"done\"]"]

# long kind: 0
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [17,"new"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [17,"new"]

# long kind: 1
select e.item as item from field_value e where e.field = +? and e.val = +?
  -- [17,"é×600"]
exists (select 1 from field_value e where e.item = m.item and e.field = +? and +e.val = +?)
  -- [17,"é×600"]

# long kind: null
no rows
not exists (select 1 from field_value o where o.item = m.item and o.field = +? and +o.val < x'' and +o.val in (select value from json_each(+?)))
  -- [17,"[\"new\",\"é×600\"]"]
