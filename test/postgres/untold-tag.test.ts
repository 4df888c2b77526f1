import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { bindParameters, type Db, type Query } from '#src/sql/query.ts'
import {
  applyTagToMany,
  itemsWithoutTag,
  itemsWithTag,
  removeItemTags,
  updateTagOfMany,
} from '#src/storage/items/item-tags.ts'
import { unindexTag } from '#src/storage/value-index/unindex.ts'
import { findTagByRow, type StoredTag } from '#src/storage/tags/tags.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'

const ITEMS = 2000

let base: Awaited<ReturnType<typeof openPostgresBase>>
let tag: number
let fresh: StoredTag
const items = Array.from({ length: ITEMS }, (_, i) => i + 1)
const sql = (text: string) => base.db.select<Record<string, unknown>>({ sql: text, parameters: [] })

beforeAll(async () => {
  base = await openPostgresBase()
  const { tag_id } = await base.run(createTag, { name: 'Known', fields: {} })
  await sql(`insert into item (item_id, name, created_at, updated_at)
    select lpad(n::text, 26, '0'), 'Item', '2026', '2026' from generate_series(1, ${ITEMS}) n`)
  const [known] = await sql(`select id from tag where tag_id = '${tag_id}'`)
  await applyTagToMany(base.db, { tag: Number(known!['id']), schema_version: 1, field_values: '{}' }, items)
  await sql('analyze')
  const { tag_id: id } = await base.run(createTag, { name: 'Fresh', fields: {} })
  const [row] = await sql(`select id from tag where tag_id = '${id}'`)
  tag = Number(row!['id'])
  fresh = (await findTagByRow(base.db, tag))!
  await applyTagToMany(base.db, { tag, schema_version: 1, field_values: '{}' }, items)
})
afterAll(() => base.close())

/** The lines of the plans of what is asked for, with these parameters; nothing is carried out. */
async function plansOf(work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  const explain = async <Values, Row>(asked: Query<Values, Row>, values: Values): Promise<Row[]> => {
    const compiled = asked.for(base.db.dialect)
    const parameters = bindParameters(compiled, values)
    const rows = await base.db.select<Record<string, unknown>>({ sql: `explain ${compiled.sql}`, parameters })
    plans.push(...rows.map((row) => String(row['QUERY PLAN'])))
    return []
  }
  await sql('set enable_seqscan = off') // as every write has it
  const { db } = base
  const { all, enqueue } = db
  Object.assign(db, { all: explain, enqueue: explain })
  await work(db).finally(() => Object.assign(db, { all, enqueue }))
  return plans
}

// The server knows the tag from no statistics: it takes it for one of a few items, and would walk all of them, each
// through the whole list, which took minutes for 90,000.
for (const [what, work] of Object.entries({
  'taken off': (db) => removeItemTags(db, tag, items),
  'taken out of the index': (db) => unindexTag(db, fresh, items),
  read: (db) => itemsWithTag(db, tag, items),
  'looked for where it is not': (db) => itemsWithoutTag(db, tag, items),
  changed: (db) => updateTagOfMany(db, { tag, schema_version: 1, field_values: '{}', stays: true }, items),
} satisfies Record<string, (db: Db) => Promise<unknown>>))
  it(`a tag that was just applied to many is ${what} by way of its items`, async () => {
    const plans = await plansOf(work)
    expect(plans.filter((line) => /Scan/.test(line) && /item_tag|field_value/.test(line))).not.toEqual([])
    expect(plans.filter((line) => /item_tag_tag|field_value_ref|Seq Scan/.test(line))).toEqual([])
  })
