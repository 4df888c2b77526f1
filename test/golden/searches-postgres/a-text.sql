{"filter":{"search":"item 27"},"limit":50}

select count(*) as n from (select 1 from (select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0) r limit $3) c
-- ["%item 27%","%item 27%",301]

select s.id as item from (select r.item as id from (select t.id as item from item_text t where t.waits is null and (t.name like $1 or t.description like $2) and costs_a_text(t.id) offset 0) r) s order by item asc limit $3
-- ["%item 27%","%item 27%",51]
