import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Database from 'better-sqlite3'
import { fold } from '#src/domain/fold.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'

/**
 * What Facet is measured by: the same tables behind a bare node:http server. One process, one connection, one
 * statement prepared for each kind of request, no sessions, no validation, no filter language (each search is written by hand for
 * the one filter that the bench sends), one transaction for each write, `synchronous=FULL`.
 *
 * `node bench/floor.ts <file>` prints its address.
 */

const db = new Database(process.argv[2])
for (const each of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'temp_store = MEMORY'])
  db.pragma(each)

type Values = Record<string, unknown>

const nextId = ulidSource()
const tag = db.prepare(`select id, tag_id from tag where name = 'Task'`).get() as {
  id: number
  tag_id: string
}
const tagRow = BigInt(tag.id)
const fieldOf = new Map(
  (
    db
      .prepare(
        `select tag.name || '.' || field.name as name, field.id from field join tag on tag.id = field.tag`,
      )
      .all() as {
      name: string
      id: number
    }[]
  ).map(({ name, id }) => [name, id]),
)
const OWNER = fieldOf.get('Task.owner')!
const STATUS = fieldOf.get('Task.status')!
const PRIORITY = fieldOf.get('Task.priority')!
const DUE = fieldOf.get('Task.due')!
const PROJECT = fieldOf.get('Task.project')!
const BUDGET = fieldOf.get('Project.budget')!

const json = (data: string) => `'{"item_id":"' || i.item_id || '","id":"' || i.item_id || '","name":' ||
  json_quote(i.name) || ',"description":' || json_quote(i.description) || ',"${data}":{' || coalesce((select
  group_concat('"' || t.tag_id || '":{"tag_name":' || json_quote(t.name) || ',"schema_version":' || it.schema_version ||
  ',"field_values":' || it.field_values || '}') from item_tag it join tag t on t.id = it.tag where it.item = i.id), '')
  || '},"created_at":"' || i.created_at || '","updated_at":"' || i.updated_at || '"}'`

const prepare = (text: string) => db.prepare(text)
const text = (query: string) => db.prepare(query).pluck()

const readItem = text(`select ${json('data')} from item i where i.item_id = ? and i.deleted_at is null`)
const itemRow = text('select id from item where item_id = ? and deleted_at is null')
const page = (ids: string) => text(`select ${json('tags')} from item i where i.id in (${ids}) order by i.id`)
const searchText = page('select rowid from item_trigram where item_trigram match ? order by rowid limit 50')
/** The entries of the equal value are walked, and the date of each is looked at. */
const equalAndDueFrom = (field: number) =>
  page(`select +a.item from field_value a where a.field = ${field} and a.val = ? and exists
  (select 1 from field_value b where b.item = a.item and b.field = ${DUE} and +b.val >= ?) order by a.item limit 50`)
const searchTwoFields = equalAndDueFrom(OWNER)
const searchSelectAndDate = equalAndDueFrom(STATUS)
const searchNameAndNumber =
  page(`select r.item from item p cross join field_value r on r.field = ${PROJECT} and r.val = +p.id where
  p.deleted_at is null and p.name >= ? and p.name < ? and exists (select 1 from field_value b where b.item = r.item and
  b.field = ${PRIORITY} and +b.val >= ?) order by r.item limit 50`)
const searchHop =
  page(`select a.item from field_value a where a.field = 0 and a.val = ${tag.id} and exists (select 1 from
  field_value r join field_value b on b.item = +r.val and b.field = ${BUDGET} and +b.val < ? where r.item = a.item and
  r.field = ${PROJECT}) order by a.item limit 50`)
const everything = text(`select ${json('tags')} from item i where i.deleted_at is null order by i.id`)

const begin = prepare('begin immediate')
const commit = prepare('commit')
const rollback = prepare('rollback')
const insertItem = prepare(
  `insert into item (item_id, name, description, created_at, updated_at) values (?, ?, ?, ?, ?)`,
)
const insertText = prepare('insert into item_text (id, name, description) values (?, ?, ?)')
const insertItemTag = prepare(
  `insert into item_tag (item, tag, schema_version, field_values) values (?, ${tag.id}, 1, ?)`,
)
const insertValue = prepare('insert into field_value (field, val, item) values (?, ?, ?)')
const deleteValue = prepare('delete from field_value where item = ? and field = ?')
const storedValues = text(`select field_values from item_tag where item = ? and tag = ${tag.id}`)
const updateValues = prepare(`update item_tag set field_values = ? where item = ? and tag = ${tag.id}`)
const touchItem = prepare('update item set updated_at = ? where id = ?')
const insertEvent =
  prepare(`insert into audit_event (event_id, event_type, entity_type, item_id, tag_id, source, details,
  created_at) values (?, ?, 'item', ?, ?, 'rest', ?, ?)`)

function transaction<T>(work: () => T): T {
  begin.run()
  try {
    const result = work()
    commit.run()
    return result
  } catch (error) {
    rollback.run()
    throw error
  }
}

function index(item: number | bigint, name: string, value: unknown): void {
  const field = fieldOf.get(`Task.${name}`)
  if (value === null) return
  if (Array.isArray(value)) for (const each of value) insertValue.run(field, each, item)
  else if (typeof value === 'object') insertValue.run(field, (value as { variant: string }).variant, item)
  else if (name === 'project') insertValue.run(field, BigInt(itemRow.get(value) as number), item)
  else if (typeof value === 'boolean') insertValue.run(field, value ? 1n : 0n, item)
  else if (Number.isSafeInteger(value)) insertValue.run(field, BigInt(value as number), item)
  else insertValue.run(field, value, item)
}

interface NewItem {
  name: string
  description: string | null
  tags: { field_values: Values }[]
}

function insert({ name, description, tags }: NewItem): string {
  const moment = Date.now()
  const time = new Date(moment).toISOString()
  const item_id = nextId(moment)
  const row = insertItem.run(item_id, name, description ?? null, time, time).lastInsertRowid
  insertText.run(row, fold(name), description ? fold(description) : null)
  const { field_values } = tags[0]!
  insertItemTag.run(row, JSON.stringify(field_values))
  insertValue.run(0, tagRow, row)
  for (const field in field_values) index(row, field, field_values[field])
  const tagged = { tag_id: tag.tag_id, tag_name: 'Task', schema_version: 1, initial_values: field_values }
  const details = JSON.stringify({ name, description: description ?? null, tags: [tagged] })
  insertEvent.run(nextId(moment), 'item_created', item_id, null, details, time)
  return item_id
}

function merge(item_id: string, values: Values): void {
  const moment = Date.now()
  const time = new Date(moment).toISOString()
  const row = itemRow.get(item_id) as number
  const stored = JSON.parse(storedValues.get(row) as string) as Values
  const old_values: Values = {}
  for (const field in values) {
    old_values[field] = stored[field] ?? null
    deleteValue.run(row, fieldOf.get(`Task.${field}`))
    index(row, field, values[field])
  }
  updateValues.run(JSON.stringify({ ...stored, ...values }), row)
  touchItem.run(time, row)
  const details = { tag_name: 'Task', fields_changed: Object.keys(values), old_values, new_values: values }
  insertEvent.run(nextId(moment), 'tag_values_updated', item_id, tag.tag_id, JSON.stringify(details), time)
}

interface Filter {
  search?: string
  and?:
    | [{ 'Task.owner': string }, { 'Task.due': { gte: string } }]
    | [{ 'Task.status': string }, { 'Task.due': { gte: string } }]
    | [{ 'Task.project->name': { starts_with: string } }, { 'Task.priority': { gte: number } }]
  'Task.project->Project.budget': { lt: number }
}

function search(filter: Filter | undefined): string {
  return `[${found(filter).join(',')}]`
}

function found(filter: Filter | undefined): unknown[] {
  if (!filter) return everything.all()
  if (filter.search) return searchText.all(`"${fold(filter.search)}"`)
  if (filter.and) return foundByBoth(filter.and)
  return searchHop.all(filter['Task.project->Project.budget'].lt)
}

function foundByBoth([first, second]: NonNullable<Filter['and']>): unknown[] {
  if ('Task.priority' in second) {
    const { starts_with } = (first as { 'Task.project->name': { starts_with: string } })['Task.project->name']
    return searchNameAndNumber.all(starts_with, `${starts_with}\u{10ffff}`, second['Task.priority'].gte)
  }
  const { gte } = second['Task.due']
  if ('Task.status' in first) return searchSelectAndDate.all(first['Task.status'], gte)
  return searchTwoFields.all((first as { 'Task.owner': string })['Task.owner'], gte)
}

/** Bodies of all requests at once: nothing is checked here. */
interface Body extends NewItem {
  filter?: Filter
  items: NewItem[]
  field_values: Values
}

function answer(method: string, path: string, body: Body): string {
  if (method === 'GET') return readItem.get(path.slice('/api/items/'.length)) as string
  if (path === '/api/items/search') return search(body.filter)
  if (path === '/api/items') return `{"item_id":"${transaction(() => insert(body))}"}`
  if (path === '/api/items/bulk')
    return JSON.stringify(transaction(() => body.items.map((item) => ({ item_id: insert(item) }))))
  const [, , , item_id = ''] = path.split('/')
  transaction(() => merge(item_id, body.field_values))
  return readItem.get(item_id) as string
}

const NO_BODY = {} as Body

function respond(request: IncomingMessage, response: ServerResponse, body: Body): void {
  const out = Buffer.from(answer(request.method!, request.url!, body))
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': out.length })
  response.end(out)
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return respond(request, response, NO_BODY)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    respond(request, response, JSON.parse(whole.toString()) as Body)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as { port: number }).port}\n`)
})
