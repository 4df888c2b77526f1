{"filter":{"search":"x"},"limit":50}

select i.id as item from item i where i.deleted_at is null and exists (select 1 from item_text t where t.id = i.id and (coalesce(strpos(t.name, $1) > 0, false) or coalesce(strpos(t.description, $2) > 0, false)) offset 0) order by i.id asc limit $3
-- ["x","x",51]
