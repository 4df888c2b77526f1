import Database from 'better-sqlite3'
import type { Sample } from '#bench/works.ts'

const TASKS = 20_000
const PROJECTS = 500
const POPULAR = 20

/** Live items of a data file, spread over all of it. */
export function sampleOf(file: string): Sample {
  const db = new Database(file, { readonly: true })
  const task_tag = db.prepare(`select tag_id from tag where name = 'Task'`).pluck().get() as string
  const ids = db.prepare(`select i.item_id from field_value v join item i on i.id = v.item
    where v.field = 0 and v.val = (select id from tag where name = ?)`)
  const tasks = spread(ids.pluck().all('Task') as string[], TASKS)
  const projects = spread(ids.pluck().all('Project') as string[], PROJECTS)
  const popular = db
    .prepare(
      `select i.item_id from field_value v join item i on i.id = v.val
        where v.field = (select f.id from field f join tag t on t.id = f.tag where t.name = 'Task' and f.name = 'project')
        group by v.val order by count(*) desc limit ?`,
    )
    .pluck()
    .all(POPULAR) as string[]
  db.close()
  return { task_tag, tasks, projects, popular }
}

function spread(list: string[], most: number): string[] {
  const step = Math.max(1, Math.floor(list.length / most))
  return list.filter((_, i) => i % step === 0)
}
