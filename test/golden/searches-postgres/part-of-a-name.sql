{"filter":{"name":{"contains":"tem 1"}},"limit":50}

select i.id as item from item i where i.deleted_at is null and (coalesce(strpos((i.name || ''), $1) > 0, false)) order by i.id asc limit $2
-- ["tem 1",51]
