import { type FieldMap, flattenFields, variantsOf } from '#src/domain/field-schema.ts'
import { netRenames } from '#src/domain/net-renames.ts'
import { fieldsNow, type PastRename, pastRename } from '#src/domain/past-rename.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { type Db, query } from '#src/sql/query.ts'
import { readEvent } from '#src/storage/changes/past-events.ts'
import type { LiveEvent } from '#src/storage/live/log-window.ts'
import type { IndexedTag } from '#src/storage/value-index/fields.ts'
import { isTextType } from '#src/storage/tags/text-fields.ts'
import { findDeletedTag, findTagById, type StoredTag } from '#src/storage/tags/tags.ts'

/** A tag as filters and the value index saw it. */
export interface TagThen {
  /** Undefined: it was not there, or was deleted. */
  catalog: CatalogTag | undefined
  indexed: IndexedTag | undefined
  /** Ids of what it extended, where that was changed since. */
  extended: readonly Ulid[] | undefined
}

/** What tags were before events of theirs, under the field names of now. */
export interface TagsThen {
  renames: readonly PastRename[]
  /** Those that were changed in what filters see of them. */
  changed: ReadonlyMap<Ulid, TagThen>
  /** The log does not tell what one of them was. */
  lost: boolean
}

export async function tagsBefore(db: Db, events: readonly LiveEvent[]): Promise<TagsThen> {
  const read: PastEvent[] = []
  for (const event of events) if (event.tag_id !== null) read.push(await readEvent(db, event))
  const renames = read.flatMap((event) => pastRename(event) ?? [])
  const changed = new Map<Ulid, TagThen>()
  for (const [tag_id, own] of Map.groupBy(read, (event) => event.tag_id!)) {
    if (!own.some(isSeen)) continue
    const tag = (await findTagById(db, tag_id)) ?? (await findDeletedTag(db, tag_id))
    if (own.some(({ redacted, event_type }) => redacted || event_type === 'tag_purged'))
      return { renames, changed, lost: true }
    changed.set(tag_id, tag ? tagBefore(tag, own, renames) : GONE)
  }
  return { renames, changed, lost: false }
}

const GONE: TagThen = { catalog: undefined, indexed: undefined, extended: undefined }

/** Whether it may change what a filter is true of. */
const isSeen = ({ event_type, details }: PastEvent): boolean =>
  event_type !== 'tag_updated' ||
  ['fields', 'extends'].some((each) => details.fields_changed?.includes(each) ?? true)

function tagBefore(tag: StoredTag, own: readonly PastEvent[], renames: readonly PastRename[]): TagThen {
  let fields = JSON.parse(tag.fields) as FieldMap
  let alive = tag.deleted_at === null
  let extended: readonly Ulid[] | undefined
  for (const { event_id, event_type, details, state } of own.toReversed()) {
    if (event_type === 'tag_created') return GONE
    if (event_type === 'tag_deleted') alive = true
    if (event_type === 'tag_restored') alive = false
    if (event_type !== 'tag_updated') continue
    extended = state?.old_extends ?? extended
    const before = details.old_values?.['fields'] as FieldMap | undefined
    const since = renames.filter((each) => each.tag_id === tag.tag_id && each.event_id >= event_id)
    if (before) fields = fieldsNow(before, netRenames(since.map((each) => each.renames)))
  }
  return alive ? { ...asItWas(tag, fields), extended } : { ...GONE, extended }
}

/** Its catalog with the fields of then, and the kinds that its values had in the index. */
function asItWas(tag: StoredTag, map: FieldMap): Pick<TagThen, 'catalog' | 'indexed'> {
  const schema = flattenFields(map)
  const rows = new Map(
    [...tag.rows].map(([name, row]) => [name, { ...row, kind: schema.get(name)?.type ?? row.kind }]),
  )
  const fields = new Map(
    [...schema.values()].flatMap(({ name, type, schema: own, parents }) => {
      const row = tag.rows.get(name)
      return row ? [[name, { id: row.id, name, type, variants: variantsOf(own), parents }] as const] : []
    }),
  )
  const left = new Map(
    [...rows.values()]
      .filter(({ name }) => !schema.has(name))
      .map(({ id, name, kind }) => [name, { id, name, type: kind, variants: [] }]),
  )
  const { id, tag_id, name } = tag
  return { catalog: { id, tag_id, name, fields, left }, indexed: { id, rows } }
}

const edges = query((_: object, sql) =>
  sql
    .selectFrom('tag_base')
    .innerJoin('tag', 'tag.id', 'tag_base.tag')
    .innerJoin('tag as upper', 'upper.id', 'tag_base.base')
    .select(['tag.id', 'tag.tag_id', 'tag.deleted_at', 'upper.tag_id as base']),
)

/** The catalog of now with those tags as they were. */
export function catalogThen(db: Db, now: TagCatalog, changed: ReadonlyMap<Ulid, TagThen>): TagCatalog {
  if (!changed.size) return now
  return {
    ...now,
    textFields: async () => textFieldsThen(await now.textFields(), changed),
    byId: async (tag_id) => {
      const then = changed.get(tag_id)
      return then ? then.catalog : now.byId(tag_id)
    },
    extending: async (tag) => {
      const below = Map.groupBy(await edgesThen(db, changed), ({ base }) => base)
      const found = new Map([[tag.tag_id, tag.id]])
      for (const [tag_id] of found)
        for (const each of below.get(tag_id) ?? []) found.set(each.tag_id, each.id)
      return [...found.values()].toSorted((a, b) => a - b)
    },
  }
}

/** Fields (row ids) whose values were texts. */
export function textFieldsThen(
  now: readonly number[],
  changed: ReadonlyMap<Ulid, TagThen>,
): readonly number[] {
  if (!changed.size) return now
  const rows = [...changed.values()].flatMap(({ indexed }) => [...(indexed?.rows.values() ?? [])])
  const others = new Set(rows.map(({ id }) => id))
  const fields = [...changed.values()].flatMap(({ catalog }) => [...(catalog?.fields.values() ?? [])])
  const texts = fields.filter(({ type }) => isTextType(type)).map(({ id }) => id)
  return [...now.filter((id) => !others.has(id)), ...texts]
}

interface Edge {
  id: number
  tag_id: Ulid
  base: Ulid
}

async function edgesThen(db: Db, changed: ReadonlyMap<Ulid, TagThen>): Promise<Edge[]> {
  const kept = (await db.all(edges, {})).filter(({ tag_id, deleted_at }) => {
    const then = changed.get(tag_id)
    return then ? then.catalog !== undefined && !then.extended : deleted_at === null
  })
  const told = [...changed].flatMap(([tag_id, { catalog, extended = [] }]) =>
    catalog ? extended.map((base) => ({ id: catalog.id, tag_id, base })) : [],
  )
  return [...kept, ...told]
}
