{"filter":{"Task.owner":null},"limit":50}

select i.id as item from item i where i.deleted_at is null and not exists (select 1 from field_value v where v.item = i.id and v.field = $1 offset 0) order by i.id asc limit $2
-- [2,51]
