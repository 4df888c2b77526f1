# all items
select i.id as item from item i where i.deleted_at is null

# all items, a page
select i.id as item from item i where i.deleted_at is null order by i.id asc limit $1
  -- [3]

# all items, a page backwards
select i.id as item from item i where i.deleted_at is null and i.id < $1 order by i.id desc
  -- [50]

# all items, a page after another
select i.id as item from item i where i.deleted_at is null and i.id > $1 order by i.id asc limit $2
  -- [50,3]

# all items by a row of theirs
select i.id as item from item i where i.deleted_at is null and (coalesce(strpos((i.name || ''), $1) > 0, false))
  -- ["a"]

# all items by a row of theirs, a page
select i.id as item from item i where i.deleted_at is null and (coalesce(strpos((i.name || ''), $1) > 0, false)) order by i.id asc limit $2
  -- ["a",3]

# all items by a row of theirs, a page backwards
select i.id as item from item i where i.deleted_at is null and i.id < $1 and (coalesce(strpos((i.name || ''), $2) > 0, false)) order by i.id desc
  -- [50,"a"]

# all items by a row of theirs, a page after another
select i.id as item from item i where i.deleted_at is null and i.id > $1 and (coalesce(strpos((i.name || ''), $2) > 0, false)) order by i.id asc limit $3
  -- [50,"a",3]

# all items that a hop needs a tag of
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = s.id and h0.field = $3 and i0.deleted_at is null and true offset 0)
  -- [0,7,19]

# all items that a hop needs a tag of, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = s.id and h0.field = $3 and i0.deleted_at is null and true offset 0) order by item asc limit $4
  -- [0,7,19,3]

# all items that a hop needs a tag of, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = s.id and h0.field = $4 and i0.deleted_at is null and true offset 0) order by item desc
  -- [0,7,50,19]

# all items that a hop needs a tag of, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and exists (select 1 from field_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = s.id and h0.field = $4 and i0.deleted_at is null and true offset 0) order by item asc limit $5
  -- [0,7,50,19,3]

# all items that a value needs a tag of
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.num + 0) > $4 offset 0)
  -- [0,7,12,1]

# all items that a value needs a tag of, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.num + 0) > $4 offset 0) order by item asc limit $5
  -- [0,7,12,1,3]

# all items that a value needs a tag of, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.num + 0) > $5 offset 0) order by item desc
  -- [0,7,50,12,1]

# all items that a value needs a tag of, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.num + 0) > $5 offset 0) order by item asc limit $6
  -- [0,7,50,12,1,3]

# all items of which one part needs a tag
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s cross join item i where i.id = s.id and (((i.name || '') = $3) and exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.num + 0) > $5 offset 0))
  -- [0,7,"a",12,1]

# all items of which one part needs a tag, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s cross join item i where i.id = s.id and (((i.name || '') = $3) and exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.num + 0) > $5 offset 0)) order by item asc limit $6
  -- [0,7,"a",12,1,3]

# all items of which one part needs a tag, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s cross join item i where i.id = s.id and s.id < $3 and (((i.name || '') = $4) and exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.num + 0) > $6 offset 0)) order by item desc
  -- [0,7,50,"a",12,1]

# all items of which one part needs a tag, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s cross join item i where i.id = s.id and s.id > $3 and (((i.name || '') = $4) and exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.num + 0) > $6 offset 0)) order by item asc limit $7
  -- [0,7,50,"a",12,1,3]

# all items without a value
select i.id as item from item i where i.deleted_at is null and not exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0)
  -- [12]

# all items without a value, a page
select i.id as item from item i where i.deleted_at is null and not exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0) order by i.id asc limit $2
  -- [12,3]

# all items without a value, a page backwards
select i.id as item from item i where i.deleted_at is null and i.id < $1 and not exists (select 1 from field_value v where v.item = i.id and v.field = $2 offset 0) order by i.id desc
  -- [50,12]

# all items without a value, a page after another
select i.id as item from item i where i.deleted_at is null and i.id > $1 and not exists (select 1 from field_value v where v.item = i.id and v.field = $2 offset 0) order by i.id asc limit $3
  -- [50,12,3]

# all items with another value or none
select i.id as item from item i where i.deleted_at is null and not exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) = $2 offset 0)
  -- [13,1]

# all items with another value or none, a page
select i.id as item from item i where i.deleted_at is null and not exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.num + 0) = $2 offset 0) order by i.id asc limit $3
  -- [13,1,3]

# all items with another value or none, a page backwards
select i.id as item from item i where i.deleted_at is null and i.id < $1 and not exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.num + 0) = $3 offset 0) order by i.id desc
  -- [50,13,1]

# all items with another value or none, a page after another
select i.id as item from item i where i.deleted_at is null and i.id > $1 and not exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.num + 0) = $3 offset 0) order by i.id asc limit $4
  -- [50,13,1,3]

# all items with another value
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and ((v.num + 0) = $4) is not true offset 0)
  -- [0,7,13,1]

# all items with another value, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and ((v.num + 0) = $4) is not true offset 0) order by item asc limit $5
  -- [0,7,13,1,3]

# all items with another value, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and ((v.num + 0) = $5) is not true offset 0) order by item desc
  -- [0,7,50,13,1]

# all items with another value, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and ((v.num + 0) = $5) is not true offset 0) order by item asc limit $6
  -- [0,7,50,13,1,3]

# all items by three conditions
select i.id as item from item i where i.deleted_at is null and (exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.ref + 0) = $6 offset 0)))
  -- [0,7,0,8,0,9]

# all items by three conditions, a page
select i.id as item from item i where i.deleted_at is null and (exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.ref + 0) = $6 offset 0))) order by i.id asc limit $7
  -- [0,7,0,8,0,9,3]

# all items by three conditions, a page backwards
select i.id as item from item i where i.deleted_at is null and i.id < $1 and (exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.ref + 0) = $3 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $6 and (v.ref + 0) = $7 offset 0))) order by i.id desc
  -- [50,0,7,0,8,0,9]

# all items by three conditions, a page after another
select i.id as item from item i where i.deleted_at is null and i.id > $1 and (exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.ref + 0) = $3 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $6 and (v.ref + 0) = $7 offset 0))) order by i.id asc limit $8
  -- [50,0,7,0,8,0,9,3]

# all items by four conditions
select i.id as item from item i where i.deleted_at is null and ((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.ref + 0) = $6 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $7 and (v.ref + 0) = $8 offset 0)))
  -- [0,6,0,7,0,8,0,9]

# all items by four conditions, a page
select i.id as item from item i where i.deleted_at is null and ((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.ref + 0) = $6 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $7 and (v.ref + 0) = $8 offset 0))) order by i.id asc limit $9
  -- [0,6,0,7,0,8,0,9,3]

# all items by four conditions, a page backwards
select i.id as item from item i where i.deleted_at is null and i.id < $1 and ((exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.ref + 0) = $3 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $6 and (v.ref + 0) = $7 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $8 and (v.ref + 0) = $9 offset 0))) order by i.id desc
  -- [50,0,6,0,7,0,8,0,9]

# all items by four conditions, a page after another
select i.id as item from item i where i.deleted_at is null and i.id > $1 and ((exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.ref + 0) = $3 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $6 and (v.ref + 0) = $7 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $8 and (v.ref + 0) = $9 offset 0))) order by i.id asc limit $10
  -- [50,0,6,0,7,0,8,0,9,3]

# all items by sixty-four conditions
select i.id as item from item i where i.deleted_at is null and ((((((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.ref + 0) = $6 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $7 and (v.ref + 0) = $8 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $9 and (v.ref + 0) = $10 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $11 and (v.ref + 0) = $12 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $13 and (v.ref + 0) = $14 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $15 and (v.ref + 0) = $16 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $17 and (v.ref + 0) = $18 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $19 and (v.ref + 0) = $20 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $21 and (v.ref + 0) = $22 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $23 and (v.ref + 0) = $24 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $25 and (v.ref + 0) = $26 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $27 and (v.ref + 0) = $28 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $29 and (v.ref + 0) = $30 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $31 and (v.ref + 0) = $32 limit 1 offset 0))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = $33 and (v.ref + 0) = $34 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $35 and (v.ref + 0) = $36 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $37 and (v.ref + 0) = $38 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $39 and (v.ref + 0) = $40 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $41 and (v.ref + 0) = $42 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $43 and (v.ref + 0) = $44 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $45 and (v.ref + 0) = $46 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $47 and (v.ref + 0) = $48 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $49 and (v.ref + 0) = $50 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $51 and (v.ref + 0) = $52 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $53 and (v.ref + 0) = $54 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $55 and (v.ref + 0) = $56 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $57 and (v.ref + 0) = $58 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $59 and (v.ref + 0) = $60 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $61 and (v.ref + 0) = $62 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $63 and (v.ref + 0) = $64 limit 1 offset 0)))))) and (((((exists (select 1 from field_value v where v.item = i.id and v.field = $65 and (v.ref + 0) = $66 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $67 and (v.ref + 0) = $68 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $69 and (v.ref + 0) = $70 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $71 and (v.ref + 0) = $72 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $73 and (v.ref + 0) = $74 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $75 and (v.ref + 0) = $76 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $77 and (v.ref + 0) = $78 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $79 and (v.ref + 0) = $80 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $81 and (v.ref + 0) = $82 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $83 and (v.ref + 0) = $84 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $85 and (v.ref + 0) = $86 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $87 and (v.ref + 0) = $88 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $89 and (v.ref + 0) = $90 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $91 and (v.ref + 0) = $92 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $93 and (v.ref + 0) = $94 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $95 and (v.ref + 0) = $96 limit 1 offset 0))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = $97 and (v.ref + 0) = $98 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $99 and (v.ref + 0) = $100 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $101 and (v.ref + 0) = $102 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $103 and (v.ref + 0) = $104 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $105 and (v.ref + 0) = $106 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $107 and (v.ref + 0) = $108 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $109 and (v.ref + 0) = $110 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $111 and (v.ref + 0) = $112 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $113 and (v.ref + 0) = $114 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $115 and (v.ref + 0) = $116 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $117 and (v.ref + 0) = $118 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $119 and (v.ref + 0) = $120 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $121 and (v.ref + 0) = $122 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $123 and (v.ref + 0) = $124 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $125 and (v.ref + 0) = $126 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $127 and (v.ref + 0) = $128 limit 1 offset 0)))))))
  -- [0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,0,33,0,34,0,35,0,36,0,37,0,38,0,39,0,40,0,41,0,42,0,43,0,44,0,45,0,46,0,47,0,48,0,49,0,50,0,51,0,52,0,53,0,54,0,55,0,56,0,57,0,58,0,59,0,60,0,61,0,62,0,63,0,64]

# all items by sixty-four conditions, a page
select i.id as item from item i where i.deleted_at is null and ((((((exists (select 1 from field_value v where v.item = i.id and v.field = $1 and (v.ref + 0) = $2 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.ref + 0) = $6 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $7 and (v.ref + 0) = $8 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $9 and (v.ref + 0) = $10 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $11 and (v.ref + 0) = $12 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $13 and (v.ref + 0) = $14 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $15 and (v.ref + 0) = $16 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $17 and (v.ref + 0) = $18 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $19 and (v.ref + 0) = $20 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $21 and (v.ref + 0) = $22 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $23 and (v.ref + 0) = $24 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $25 and (v.ref + 0) = $26 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $27 and (v.ref + 0) = $28 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $29 and (v.ref + 0) = $30 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $31 and (v.ref + 0) = $32 limit 1 offset 0))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = $33 and (v.ref + 0) = $34 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $35 and (v.ref + 0) = $36 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $37 and (v.ref + 0) = $38 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $39 and (v.ref + 0) = $40 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $41 and (v.ref + 0) = $42 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $43 and (v.ref + 0) = $44 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $45 and (v.ref + 0) = $46 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $47 and (v.ref + 0) = $48 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $49 and (v.ref + 0) = $50 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $51 and (v.ref + 0) = $52 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $53 and (v.ref + 0) = $54 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $55 and (v.ref + 0) = $56 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $57 and (v.ref + 0) = $58 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $59 and (v.ref + 0) = $60 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $61 and (v.ref + 0) = $62 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $63 and (v.ref + 0) = $64 limit 1 offset 0)))))) and (((((exists (select 1 from field_value v where v.item = i.id and v.field = $65 and (v.ref + 0) = $66 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $67 and (v.ref + 0) = $68 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $69 and (v.ref + 0) = $70 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $71 and (v.ref + 0) = $72 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $73 and (v.ref + 0) = $74 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $75 and (v.ref + 0) = $76 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $77 and (v.ref + 0) = $78 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $79 and (v.ref + 0) = $80 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $81 and (v.ref + 0) = $82 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $83 and (v.ref + 0) = $84 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $85 and (v.ref + 0) = $86 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $87 and (v.ref + 0) = $88 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $89 and (v.ref + 0) = $90 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $91 and (v.ref + 0) = $92 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $93 and (v.ref + 0) = $94 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $95 and (v.ref + 0) = $96 limit 1 offset 0))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = $97 and (v.ref + 0) = $98 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $99 and (v.ref + 0) = $100 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $101 and (v.ref + 0) = $102 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $103 and (v.ref + 0) = $104 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $105 and (v.ref + 0) = $106 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $107 and (v.ref + 0) = $108 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $109 and (v.ref + 0) = $110 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $111 and (v.ref + 0) = $112 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $113 and (v.ref + 0) = $114 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $115 and (v.ref + 0) = $116 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $117 and (v.ref + 0) = $118 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $119 and (v.ref + 0) = $120 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $121 and (v.ref + 0) = $122 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $123 and (v.ref + 0) = $124 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $125 and (v.ref + 0) = $126 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $127 and (v.ref + 0) = $128 limit 1 offset 0))))))) order by i.id asc limit $129
  -- [0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,0,33,0,34,0,35,0,36,0,37,0,38,0,39,0,40,0,41,0,42,0,43,0,44,0,45,0,46,0,47,0,48,0,49,0,50,0,51,0,52,0,53,0,54,0,55,0,56,0,57,0,58,0,59,0,60,0,61,0,62,0,63,0,64,3]

# all items by sixty-four conditions, a page backwards
select i.id as item from item i where i.deleted_at is null and i.id < $1 and ((((((exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.ref + 0) = $3 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $6 and (v.ref + 0) = $7 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $8 and (v.ref + 0) = $9 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $10 and (v.ref + 0) = $11 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $12 and (v.ref + 0) = $13 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $14 and (v.ref + 0) = $15 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $16 and (v.ref + 0) = $17 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $18 and (v.ref + 0) = $19 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $20 and (v.ref + 0) = $21 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $22 and (v.ref + 0) = $23 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $24 and (v.ref + 0) = $25 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $26 and (v.ref + 0) = $27 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $28 and (v.ref + 0) = $29 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $30 and (v.ref + 0) = $31 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $32 and (v.ref + 0) = $33 limit 1 offset 0))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = $34 and (v.ref + 0) = $35 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $36 and (v.ref + 0) = $37 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $38 and (v.ref + 0) = $39 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $40 and (v.ref + 0) = $41 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $42 and (v.ref + 0) = $43 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $44 and (v.ref + 0) = $45 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $46 and (v.ref + 0) = $47 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $48 and (v.ref + 0) = $49 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $50 and (v.ref + 0) = $51 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $52 and (v.ref + 0) = $53 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $54 and (v.ref + 0) = $55 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $56 and (v.ref + 0) = $57 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $58 and (v.ref + 0) = $59 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $60 and (v.ref + 0) = $61 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $62 and (v.ref + 0) = $63 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $64 and (v.ref + 0) = $65 limit 1 offset 0)))))) and (((((exists (select 1 from field_value v where v.item = i.id and v.field = $66 and (v.ref + 0) = $67 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $68 and (v.ref + 0) = $69 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $70 and (v.ref + 0) = $71 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $72 and (v.ref + 0) = $73 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $74 and (v.ref + 0) = $75 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $76 and (v.ref + 0) = $77 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $78 and (v.ref + 0) = $79 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $80 and (v.ref + 0) = $81 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $82 and (v.ref + 0) = $83 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $84 and (v.ref + 0) = $85 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $86 and (v.ref + 0) = $87 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $88 and (v.ref + 0) = $89 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $90 and (v.ref + 0) = $91 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $92 and (v.ref + 0) = $93 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $94 and (v.ref + 0) = $95 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $96 and (v.ref + 0) = $97 limit 1 offset 0))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = $98 and (v.ref + 0) = $99 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $100 and (v.ref + 0) = $101 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $102 and (v.ref + 0) = $103 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $104 and (v.ref + 0) = $105 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $106 and (v.ref + 0) = $107 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $108 and (v.ref + 0) = $109 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $110 and (v.ref + 0) = $111 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $112 and (v.ref + 0) = $113 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $114 and (v.ref + 0) = $115 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $116 and (v.ref + 0) = $117 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $118 and (v.ref + 0) = $119 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $120 and (v.ref + 0) = $121 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $122 and (v.ref + 0) = $123 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $124 and (v.ref + 0) = $125 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $126 and (v.ref + 0) = $127 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $128 and (v.ref + 0) = $129 limit 1 offset 0))))))) order by i.id desc
  -- [50,0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,0,33,0,34,0,35,0,36,0,37,0,38,0,39,0,40,0,41,0,42,0,43,0,44,0,45,0,46,0,47,0,48,0,49,0,50,0,51,0,52,0,53,0,54,0,55,0,56,0,57,0,58,0,59,0,60,0,61,0,62,0,63,0,64]

# all items by sixty-four conditions, a page after another
select i.id as item from item i where i.deleted_at is null and i.id > $1 and ((((((exists (select 1 from field_value v where v.item = i.id and v.field = $2 and (v.ref + 0) = $3 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $6 and (v.ref + 0) = $7 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $8 and (v.ref + 0) = $9 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $10 and (v.ref + 0) = $11 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $12 and (v.ref + 0) = $13 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $14 and (v.ref + 0) = $15 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $16 and (v.ref + 0) = $17 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $18 and (v.ref + 0) = $19 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $20 and (v.ref + 0) = $21 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $22 and (v.ref + 0) = $23 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $24 and (v.ref + 0) = $25 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $26 and (v.ref + 0) = $27 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $28 and (v.ref + 0) = $29 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $30 and (v.ref + 0) = $31 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $32 and (v.ref + 0) = $33 limit 1 offset 0))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = $34 and (v.ref + 0) = $35 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $36 and (v.ref + 0) = $37 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $38 and (v.ref + 0) = $39 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $40 and (v.ref + 0) = $41 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $42 and (v.ref + 0) = $43 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $44 and (v.ref + 0) = $45 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $46 and (v.ref + 0) = $47 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $48 and (v.ref + 0) = $49 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $50 and (v.ref + 0) = $51 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $52 and (v.ref + 0) = $53 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $54 and (v.ref + 0) = $55 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $56 and (v.ref + 0) = $57 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $58 and (v.ref + 0) = $59 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $60 and (v.ref + 0) = $61 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $62 and (v.ref + 0) = $63 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $64 and (v.ref + 0) = $65 limit 1 offset 0)))))) and (((((exists (select 1 from field_value v where v.item = i.id and v.field = $66 and (v.ref + 0) = $67 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $68 and (v.ref + 0) = $69 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $70 and (v.ref + 0) = $71 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $72 and (v.ref + 0) = $73 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $74 and (v.ref + 0) = $75 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $76 and (v.ref + 0) = $77 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $78 and (v.ref + 0) = $79 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $80 and (v.ref + 0) = $81 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $82 and (v.ref + 0) = $83 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $84 and (v.ref + 0) = $85 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $86 and (v.ref + 0) = $87 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $88 and (v.ref + 0) = $89 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $90 and (v.ref + 0) = $91 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $92 and (v.ref + 0) = $93 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $94 and (v.ref + 0) = $95 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $96 and (v.ref + 0) = $97 limit 1 offset 0))))) and ((((exists (select 1 from field_value v where v.item = i.id and v.field = $98 and (v.ref + 0) = $99 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $100 and (v.ref + 0) = $101 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $102 and (v.ref + 0) = $103 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $104 and (v.ref + 0) = $105 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $106 and (v.ref + 0) = $107 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $108 and (v.ref + 0) = $109 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $110 and (v.ref + 0) = $111 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $112 and (v.ref + 0) = $113 limit 1 offset 0)))) and (((exists (select 1 from field_value v where v.item = i.id and v.field = $114 and (v.ref + 0) = $115 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $116 and (v.ref + 0) = $117 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $118 and (v.ref + 0) = $119 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $120 and (v.ref + 0) = $121 limit 1 offset 0))) and ((exists (select 1 from field_value v where v.item = i.id and v.field = $122 and (v.ref + 0) = $123 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $124 and (v.ref + 0) = $125 limit 1 offset 0)) and (exists (select 1 from field_value v where v.item = i.id and v.field = $126 and (v.ref + 0) = $127 limit 1 offset 0) and exists (select 1 from field_value v where v.item = i.id and v.field = $128 and (v.ref + 0) = $129 limit 1 offset 0))))))) order by i.id asc limit $130
  -- [50,0,1,0,2,0,3,0,4,0,5,0,6,0,7,0,8,0,9,0,10,0,11,0,12,0,13,0,14,0,15,0,16,0,17,0,18,0,19,0,20,0,21,0,22,0,23,0,24,0,25,0,26,0,27,0,28,0,29,0,30,0,31,0,32,0,33,0,34,0,35,0,36,0,37,0,38,0,39,0,40,0,41,0,42,0,43,0,44,0,45,0,46,0,47,0,48,0,49,0,50,0,51,0,52,0,53,0,54,0,55,0,56,0,57,0,58,0,59,0,60,0,61,0,62,0,63,0,64,3]

# one index and three conditions
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where ((exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.ref + 0) = $6 offset 0)) and (exists (select 1 from field_value v where v.item = s.id and v.field = $7 and (v.ref + 0) = $8 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $9 and (v.ref + 0) = $10 offset 0)))
  -- [0,5,0,5,0,7,0,8,0,9]

# one index and three conditions, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where ((exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.ref + 0) = $6 offset 0)) and (exists (select 1 from field_value v where v.item = s.id and v.field = $7 and (v.ref + 0) = $8 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $9 and (v.ref + 0) = $10 offset 0))) order by item asc limit $11
  -- [0,5,0,5,0,7,0,8,0,9,3]

# one index and three conditions, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and ((exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.ref + 0) = $7 offset 0)) and (exists (select 1 from field_value v where v.item = s.id and v.field = $8 and (v.ref + 0) = $9 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $10 and (v.ref + 0) = $11 offset 0))) order by item desc
  -- [0,5,50,0,5,0,7,0,8,0,9]

# one index and three conditions, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and ((exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.ref + 0) = $7 offset 0)) and (exists (select 1 from field_value v where v.item = s.id and v.field = $8 and (v.ref + 0) = $9 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $10 and (v.ref + 0) = $11 offset 0))) order by item asc limit $12
  -- [0,5,50,0,5,0,7,0,8,0,9,3]

# all near items
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id <= 99 and exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.num + 0) > $4 offset 0)
  -- [0,7,12,1]

# all near items, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id <= 99 and exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.num + 0) > $4 offset 0) order by item asc limit $5
  -- [0,7,12,1,3]

# all near items, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and s.id <= 99 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.num + 0) > $5 offset 0) order by item desc
  -- [0,7,50,12,1]

# all near items, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and s.id <= 99 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.num + 0) > $5 offset 0) order by item asc limit $6
  -- [0,7,50,12,1,3]

# one index
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0)
  -- [0,7,0,7]

# one index, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0) order by item asc limit $5
  -- [0,7,0,7,3]

# one index, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) order by item desc
  -- [0,7,50,0,7]

# one index, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) order by item asc limit $6
  -- [0,7,50,0,7,3]

# one index and a probe
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where (exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.num + 0) > $6 offset 0))
  -- [0,7,0,7,12,1]

# one index and a probe, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where (exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.num + 0) > $6 offset 0)) order by item asc limit $7
  -- [0,7,0,7,12,1,3]

# one index and a probe, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and (exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.num + 0) > $7 offset 0)) order by item desc
  -- [0,7,50,0,7,12,1]

# one index and a probe, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and (exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.num + 0) > $7 offset 0)) order by item asc limit $8
  -- [0,7,50,0,7,12,1,3]

# one index and two probes
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s cross join item i where i.id = s.id and (exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.num + 0) > $6 offset 0) and ((i.name || '') = $7)))
  -- [0,7,0,7,12,1,"a"]

# one index and two probes, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s cross join item i where i.id = s.id and (exists (select 1 from field_value v where v.item = i.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $5 and (v.num + 0) > $6 offset 0) and ((i.name || '') = $7))) order by item asc limit $8
  -- [0,7,0,7,12,1,"a",3]

# one index and two probes, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s cross join item i where i.id = s.id and s.id < $3 and (exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $6 and (v.num + 0) > $7 offset 0) and ((i.name || '') = $8))) order by item desc
  -- [0,7,50,0,7,12,1,"a"]

# one index and two probes, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s cross join item i where i.id = s.id and s.id > $3 and (exists (select 1 from field_value v where v.item = i.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and (exists (select 1 from field_value v where v.item = i.id and v.field = $6 and (v.num + 0) > $7 offset 0) and ((i.name || '') = $8))) order by item asc limit $9
  -- [0,7,50,0,7,12,1,"a",3]

# one index that is not exact
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $2 and coalesce(v.text, v.long, v.num::text, v.ref::text) is null offset 0)
  -- [19,19]

# one index that is not exact, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $2 and coalesce(v.text, v.long, v.num::text, v.ref::text) is null offset 0) order by item asc limit $3
  -- [19,19,3]

# one index that is not exact, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1) r) s where s.id < $2 and exists (select 1 from field_value v where v.item = s.id and v.field = $3 and coalesce(v.text, v.long, v.num::text, v.ref::text) is null offset 0) order by item desc
  -- [19,50,19]

# one index that is not exact, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1) r) s where s.id > $2 and exists (select 1 from field_value v where v.item = s.id and v.field = $3 and coalesce(v.text, v.long, v.num::text, v.ref::text) is null offset 0) order by item asc limit $4
  -- [19,50,19,3]

# an index with an item several times
select distinct s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $2 offset 0)
  -- [18,18]

# an index with an item several times, a page
select distinct s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1) r) s where exists (select 1 from field_value v where v.item = s.id and v.field = $2 offset 0) order by item asc limit $3
  -- [18,18,3]

# an index with an item several times, a page backwards
select distinct s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1) r) s where s.id < $2 and exists (select 1 from field_value v where v.item = s.id and v.field = $3 offset 0) order by item desc
  -- [18,50,18]

# an index with an item several times, a page after another
select distinct s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1) r) s where s.id > $2 and exists (select 1 from field_value v where v.item = s.id and v.field = $3 offset 0) order by item asc limit $4
  -- [18,50,18,3]

# a union
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where (exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = any($4::bigint[]) offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.num + 0) > $6 offset 0)) union select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $7 and v.ref = $8) r) s where (exists (select 1 from field_value v where v.item = s.id and v.field = $9 and (v.ref + 0) = any($10::bigint[]) offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $11 and (v.num + 0) > $12 offset 0))
  -- [0,7,0,[7,8],12,1,0,8,0,[7,8],12,1]

# a union, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where (exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = any($4::bigint[]) offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.num + 0) > $6 offset 0)) union select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $7 and v.ref = $8) r) s where (exists (select 1 from field_value v where v.item = s.id and v.field = $9 and (v.ref + 0) = any($10::bigint[]) offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $11 and (v.num + 0) > $12 offset 0)) order by item asc limit $13
  -- [0,7,0,[7,8],12,1,0,8,0,[7,8],12,1,3]

# a union, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and (exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = any($5::bigint[]) offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.num + 0) > $7 offset 0)) union select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $8 and v.ref = $9) r) s where s.id < $10 and (exists (select 1 from field_value v where v.item = s.id and v.field = $11 and (v.ref + 0) = any($12::bigint[]) offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $13 and (v.num + 0) > $14 offset 0)) order by item desc
  -- [0,7,50,0,[7,8],12,1,0,8,50,0,[7,8],12,1]

# a union, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and (exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = any($5::bigint[]) offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.num + 0) > $7 offset 0)) union select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $8 and v.ref = $9) r) s where s.id > $10 and (exists (select 1 from field_value v where v.item = s.id and v.field = $11 and (v.ref + 0) = any($12::bigint[]) offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $13 and (v.num + 0) > $14 offset 0)) order by item asc limit $15
  -- [0,7,50,0,[7,8],12,1,0,8,50,0,[7,8],12,1,3]

# an intersection
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where (exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.ref + 0) = $6 offset 0)) intersect select s.item as item from (select v.item as item from field_value v where v.field = $7 and v.ref = $8) s order by item
  -- [0,7,0,7,0,8,0,8]

# an intersection, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where (exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.ref + 0) = $6 offset 0)) intersect select s.item as item from (select v.item as item from field_value v where v.field = $7 and v.ref = $8) s order by item asc limit $9
  -- [0,7,0,7,0,8,0,8,3]

# an intersection, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and (exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.ref + 0) = $7 offset 0)) intersect select s.item as item from (select v.item as item from field_value v where v.field = $8 and v.ref = $9) s where s.item < $10 order by item desc
  -- [0,7,50,0,7,0,8,0,8,50]

# an intersection, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and (exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.ref + 0) = $7 offset 0)) intersect select s.item as item from (select v.item as item from field_value v where v.field = $8 and v.ref = $9) s where s.item > $10 order by item asc limit $11
  -- [0,7,50,0,7,0,8,0,8,50,3]

# an intersection and a probe
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id <= 99 and (exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and (exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.ref + 0) = $6 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $7 and (v.num + 0) > $8 offset 0))) intersect select s.item as item from (select v.item as item from field_value v where v.field = $9 and v.ref = $10) s where s.item <= 99 order by item
  -- [0,7,0,7,0,8,12,1,0,8]

# an intersection and a probe, a page
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id <= 99 and (exists (select 1 from field_value v where v.item = s.id and v.field = $3 and (v.ref + 0) = $4 offset 0) and (exists (select 1 from field_value v where v.item = s.id and v.field = $5 and (v.ref + 0) = $6 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $7 and (v.num + 0) > $8 offset 0))) intersect select s.item as item from (select v.item as item from field_value v where v.field = $9 and v.ref = $10) s where s.item <= 99 order by item asc limit $11
  -- [0,7,0,7,0,8,12,1,0,8,3]

# an intersection and a probe, a page backwards
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id < $3 and s.id <= 99 and (exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and (exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.ref + 0) = $7 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $8 and (v.num + 0) > $9 offset 0))) intersect select s.item as item from (select v.item as item from field_value v where v.field = $10 and v.ref = $11) s where s.item < $12 and s.item <= 99 order by item desc
  -- [0,7,50,0,7,0,8,12,1,0,8,50]

# an intersection and a probe, a page after another
select s.id as item from (select r.item as id from (select v.item as item from field_value v where v.field = $1 and v.ref = $2) r) s where s.id > $3 and s.id <= 99 and (exists (select 1 from field_value v where v.item = s.id and v.field = $4 and (v.ref + 0) = $5 offset 0) and (exists (select 1 from field_value v where v.item = s.id and v.field = $6 and (v.ref + 0) = $7 offset 0) and exists (select 1 from field_value v where v.item = s.id and v.field = $8 and (v.num + 0) > $9 offset 0))) intersect select s.item as item from (select v.item as item from field_value v where v.field = $10 and v.ref = $11) s where s.item > $12 and s.item <= 99 order by item asc limit $13
  -- [0,7,50,0,7,0,8,12,1,0,8,50,3]
