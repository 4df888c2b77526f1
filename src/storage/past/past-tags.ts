import { sql as rawSql } from 'kysely'
import { type FieldMap, flattenFields } from '#src/domain/field-schema.ts'
import type { EventDetails } from '#src/domain/past-event.ts'
import { NO_RENAMES } from '#src/domain/net-renames.ts'
import { inverseRenames, pastRename } from '#src/domain/past-rename.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import type { TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import { EVENT_COLUMNS, readEvent, unreadEvent } from '#src/storage/changes/past-events.ts'
import { hasDrafts } from '#src/storage/large/audit-drafts.ts'
import { basesByTag, insertBases } from '#src/storage/tags/tag-bases.ts'
import { fieldRows } from '#src/storage/value-index/fields.ts'

/** Row ids of what the base has no row for. */
const FIRST_OWN_ID = 2 ** 40

/** A tag as it was. */
export interface PastTag {
  /** That of the base, where it still has the tag. */
  id: number
  tag_id: Ulid
  name: string
  description: string | null
  fields: FieldMap
  extends: Ulid[]
  times: { created_at: string; updated_at: string }
  schema_version: number
  present: boolean
}

/** What became of the tags since. */
export interface PastTags {
  /** Those that lived then, oldest first. */
  tags: readonly PastTag[]
  /** Whose fields are not those of today. */
  changed: ReadonlyMap<Ulid, PastTag>
  /** Whose fields or variants got other names since: what takes them back, newest first. */
  renamed: ReadonlyMap<Ulid, readonly TagRenames[]>
}

const presentTags = query((_: object, sql) => sql.selectFrom('tag').selectAll().orderBy('id'))

/** More are not looked through. */
const MOST_CHANGES = 1000
const CHANGES = ['tag_updated', 'tag_deleted', 'tag_restored', 'tag_purged']
const TAG_EVENTS = ['tag_created', ...CHANGES]
const eventsAfter = query((p: { types: string; after: Ulid }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('event_type', 'in', dialect.texts(p.types))
    .where('event_id', '>', p.after)
    .orderBy('event_id', 'desc'),
)
// The types are part of the statement: so both engines go by the index of types, however many events came after.
const changesAfter = query((p: { after: Ulid }, sql) =>
  sql
    .selectFrom('audit_event')
    .select(['event_type', 'tag_id'])
    .where(rawSql<boolean>`event_type in (${rawSql.join(CHANGES.map((type) => rawSql.lit(type)))})`)
    .where('event_id', '>', p.after)
    .limit(MOST_CHANGES),
)
const eventsOfItem = query((p: { item_id: Ulid }, sql) =>
  sql.selectFrom('audit_event').select('tag_id').where('item_id', '=', p.item_id).limit(MOST_CHANGES),
)
const eventsOfTag = query((p: { tag_id: Ulid; types: string; until: Ulid }, sql, dialect) =>
  sql
    .selectFrom('audit_event')
    .select(EVENT_COLUMNS)
    .where('tag_id', '=', p.tag_id)
    .where(
      dialect.filter.withoutIndex(sql.dynamic.ref<'event_type'>('event_type') as never, 'text'),
      'in',
      dialect.texts(p.types),
    )
    .where('event_id', '<=', p.until)
    .orderBy('event_id'),
)

type Known = PastTag & { lives: boolean }

/**
 * Which tags have changed after an event id, or null: a tag has come or gone, so that whatever showed it looks different
 * now, or very many have changed. An item shows none that it never had.
 */
export async function changedTags(
  db: Db,
  { after, item_id }: { after: Ulid; item_id?: Ulid | undefined },
): Promise<Ulid[] | null> {
  const rows = await db.all(changesAfter, { after })
  if (rows.length >= MOST_CHANGES) return null
  const moved = rows.filter(({ event_type }) => event_type !== 'tag_updated')
  if (moved.length && !(item_id && (await neverHad(db, item_id, new Set(moved.map(({ tag_id }) => tag_id))))))
    return null
  return rows.filter(({ event_type }) => event_type === 'tag_updated').map(({ tag_id }) => tag_id!)
}

/** Whether no event of the item is about one of the tags. What has not entered the log yet may be. */
async function neverHad(db: Db, item_id: Ulid, tag_ids: ReadonlySet<Ulid | null>): Promise<boolean> {
  const events = await db.all(eventsOfItem, { item_id })
  return (
    events.length < MOST_CHANGES &&
    !events.some(({ tag_id }) => tag_ids.has(tag_id)) &&
    !(await hasDrafts(db))
  )
}

/** The tags as they were up to an event: those of today, taken back through what happened to them since. */
export async function readPastTags(db: Db, cut: Ulid): Promise<PastTags> {
  const known = await readPresent(db)
  const today = new Map([...known].map(([tag_id, { fields }]) => [tag_id, fields]))
  const renamed = new Map<Ulid, TagRenames[]>()
  let own = FIRST_OWN_ID
  for (const row of await db.all(eventsAfter, { types: JSON.stringify(TAG_EVENTS), after: cut })) {
    const event = await readEvent(db, unreadEvent(row))
    const tag_id = event.tag_id!
    if (event.event_type === 'tag_purged') {
      const tag = await readPurged(db, tag_id, cut, own++)
      if (tag) known.set(tag_id, tag)
      continue
    }
    const tag = known.get(tag_id)
    if (!tag || !tag.present) continue // as it was then already
    const rename = pastRename(event)
    if (rename)
      (renamed.get(tag_id) ?? renamed.set(tag_id, []).get(tag_id)!).push(
        inverseRenames(rename.renames, NO_RENAMES),
      )
    takeBack(tag, event.event_type, event.details, event.state?.old_extends)
  }
  const tags = [...known.values()].filter(({ lives }) => lives).sort((a, b) => (a.tag_id < b.tag_id ? -1 : 1))
  const changed = tags.filter(({ tag_id, fields }) => !sameJson(fields, today.get(tag_id)))
  return { tags, changed: new Map(changed.map((tag) => [tag.tag_id, tag])), renamed }
}

async function readPresent(db: Db): Promise<Map<Ulid, Known>> {
  const bases = await basesByTag(db)
  const rows = await db.all(presentTags, {})
  return new Map(
    rows.map(
      ({ id, tag_id, name, description, fields, schema_version, created_at, updated_at, deleted_at }) => [
        tag_id,
        {
          id,
          tag_id,
          name,
          description,
          fields: JSON.parse(fields) as FieldMap,
          extends: bases.get(tag_id) ?? [],
          times: { created_at, updated_at },
          schema_version,
          present: true,
          lives: deleted_at === null,
        },
      ],
    ),
  )
}

function takeBack(tag: Known, type: string, details: EventDetails, old_extends: Ulid[] | undefined): void {
  if (type === 'tag_created' || type === 'tag_restored') tag.lives = false
  else if (type === 'tag_deleted') tag.lives = true
  else {
    const before = (details.old_values ?? {}) as Partial<PastTag>
    for (const property of details.fields_changed ?? [])
      if (property === 'extends') tag.extends = old_extends ?? before.extends ?? []
      else if (Object.hasOwn(before, property))
        Object.assign(tag, { [property]: before[property as keyof PastTag] })
  }
}

/** What is purged has its events alone. */
async function readPurged(db: Db, tag_id: Ulid, until: Ulid, id: number): Promise<Known | undefined> {
  let tag: Known | undefined
  for (const row of await db.all(eventsOfTag, { tag_id, types: JSON.stringify(TAG_EVENTS), until })) {
    const { event_type, details, created_at } = await readEvent(db, unreadEvent(row))
    if (event_type === 'tag_created')
      tag = {
        id,
        tag_id,
        name: details.name ?? tag_id,
        description: details.description ?? null,
        fields: (details.fields ?? {}) as FieldMap,
        extends: details.extends ?? [],
        times: { created_at, updated_at: created_at },
        schema_version: 1,
        present: false,
        lives: true,
      }
    else if (!tag) return undefined
    else if (event_type === 'tag_updated') Object.assign(tag, details.new_values)
    else tag.lives = event_type === 'tag_restored'
  }
  return tag
}

const insertTags = rowInserter('tag', [
  'id',
  'tag_id',
  'name',
  'description',
  'fields',
  'schema_version',
  'folded_name',
  'created_at',
  'updated_at',
])
const insertFields = rowInserter('field', ['id', 'tag', 'name', 'kind'])

/** Writes the tags into the base of then. Fields have the row ids of today where they are the same. */
export async function writeTags(base: Db, past: Db, { tags, changed }: PastTags): Promise<void> {
  const ids = new Map(tags.map(({ tag_id, id }) => [tag_id, id]))
  await insertTags(
    past,
    tags.map(({ id, tag_id, name, description, fields, schema_version, times }) => [
      id,
      tag_id,
      name,
      description,
      JSON.stringify(fields),
      schema_version,
      foldForSearch(name),
      times.created_at,
      times.updated_at,
    ]),
  )
  await insertBases(
    past,
    tags.flatMap((tag) =>
      tag.extends.flatMap((base, position) => (ids.has(base) ? [[tag.id, ids.get(base)!, position]] : [])),
    ),
  )
  let own = FIRST_OWN_ID
  for (const tag of tags) {
    const today = tag.present ? await fieldRows(base, tag.id) : new Map<string, never>()
    const schema = flattenFields(tag.fields)
    const isChanged = changed.has(tag.tag_id)
    const left = [...today.values()].filter(({ name }) => !schema.has(name))
    await insertFields(past, [
      ...[...schema.values()].map(({ name, type }) => [
        (isChanged ? undefined : today.get(name)?.id) ?? own++,
        tag.id,
        name,
        type,
      ]),
      ...left.map(({ id, name, kind }) => [isChanged ? own++ : id, tag.id, name, kind]),
    ])
  }
}
