# a text
exists (select 1 from deleted_text t where t.id = item.id and (coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) offset 0)
  -- ["abc","abc"]

# MultiSelect 18: the same set
((select count(*) from deleted_value v where v.item = item.id and v.field = $1) = $2 and (select count(*) from deleted_value v where v.item = item.id and v.field = $3 and (v.text || '') = any($4::text[])) = $5)
  -- [18,2,18,["home","work"],2]

# a hop to a name
exists (select 1 from deleted_value h0 cross join lateral (select * from item e where e.id = h0.ref offset 0) i0 where h0.item = item.id and h0.field = $1 and i0.deleted_at is null and ((i0.name || '') = $2) offset 0)
  -- [19,"a"]

# a hop to a value
exists (select 1 from deleted_value h0 where h0.item = item.id and h0.field = $1 and exists (select 1 from field_value v where v.item = h0.ref and v.field = $2 and (v.num + 0) = $3 offset 0) offset 0)
  -- [19,12,1]

# referred to by a value
exists (select 1 from field_value r0 where r0.field = $1 and r0.ref = item.id and exists (select 1 from field_value v where v.item = r0.item and v.field = $2 and (v.num + 0) = $3 offset 0) order by r0.item limit 1 offset 0)
  -- [19,12,1]

# Reference 19: dangling among some
exists (select 1 from deleted_value v where v.item = item.id and v.field = $1 and (v.ref + 0) is not null and not exists (select 1 from item target where target.id = (v.ref + 0) and target.deleted_at is null and ((target.name || '') = $2) offset 0) offset 0)
  -- [19,"a"]

# of tags: a text
(coalesce(strpos(tag.folded_name, $1) > 0, false) or coalesce(strpos(tag.folded_description, $2) > 0, false))
  -- ["abc","abc"]

# of tags: nine texts
((((coalesce(strpos(tag.folded_name, $1) > 0, false) or coalesce(strpos(tag.folded_description, $2) > 0, false)) or (coalesce(strpos(tag.folded_name, $3) > 0, false) or coalesce(strpos(tag.folded_description, $4) > 0, false))) or ((coalesce(strpos(tag.folded_name, $5) > 0, false) or coalesce(strpos(tag.folded_description, $6) > 0, false)) or (coalesce(strpos(tag.folded_name, $7) > 0, false) or coalesce(strpos(tag.folded_description, $8) > 0, false)))) or (((coalesce(strpos(tag.folded_name, $9) > 0, false) or coalesce(strpos(tag.folded_description, $10) > 0, false)) or (coalesce(strpos(tag.folded_name, $11) > 0, false) or coalesce(strpos(tag.folded_description, $12) > 0, false))) or ((coalesce(strpos(tag.folded_name, $13) > 0, false) or coalesce(strpos(tag.folded_description, $14) > 0, false)) or ((coalesce(strpos(tag.folded_name, $15) > 0, false) or coalesce(strpos(tag.folded_description, $16) > 0, false)) or (coalesce(strpos(tag.folded_name, $17) > 0, false) or coalesce(strpos(tag.folded_description, $18) > 0, false))))))
  -- ["text 1","text 1","text 2","text 2","text 3","text 3","text 4","text 4","text 5","text 5","text 6","text 6","text 7","text 7","text 8","text 8","text 9","text 9"]

# of tags: a name
((tag.name || '') = $1)
  -- ["a"]
