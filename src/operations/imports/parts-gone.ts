import { conflict, type ServiceError } from '#src/domain/errors.ts'
import { type NetRenames, NO_RENAMES } from '#src/domain/net-renames.ts'
import { renamesAfter } from '#src/domain/past-rename.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { ColumnTarget, FieldTarget } from '#src/imports/rows/targets.ts'
import type { ImportPlan, Mapping, PlannedTag } from '#src/operations/imports/import-plan.ts'
import { nameTaken } from '#src/operations/tags/check-new-tag.ts'
import type { Db } from '#src/sql/query.ts'
import { renamesOf } from '#src/storage/changes/past-renames.ts'
import { findDeletedTag, findTagById, findTagByName, type StoredTag } from '#src/storage/tags/tags.ts'

export interface Settled {
  import_id: Ulid
  plan: ImportPlan
  mapping: Mapping
  /** The newest event when it was settled. */
  newest: Ulid | null
}

/**
 * What a plan builds upon has to be there when it is carried out: what was renamed or removed since is not made anew, and
 * a tag that came since is not taken for the one that was to be made. What else rows lack are faults of rows.
 * @throws Conflict that names it, what became of it and what helps
 */
export async function requireParts(db: Db, settled: Settled): Promise<void> {
  const { plan, mapping } = settled
  for (const [t, tag] of plan.tags.entries()) {
    const wish = mapping.tables?.find(({ name }) => name === plan.targets[t]!.table)?.tag
    const isById = !!wish && 'id' in wish && findsById(wish.id, tag)
    if (tag) await requireTag(db, settled, tag, isById)
    for (const field of fieldsIn(plan.targets[t]!.columns)) await requireMeant(db, settled, field)
    const stored = tag?.tag_id && (await findTagById(db, tag.tag_id))
    if (stored) await requireFields(db, settled, t, stored)
  }
}

/** Variants that are missing are made where that was asked for: not those that were there when the columns were mapped. */
export async function requireVariants(db: Db, settled: Settled, now: ImportPlan): Promise<void> {
  for (const [t, tag] of settled.plan.tags.entries()) {
    const made = now.tags[t]?.makes.variants
    if (!tag?.tag_id || !made) continue
    for (const { field, variants = [] } of fieldsIn(settled.plan.targets[t]!.columns)) {
      const wereMade = tag.makes.variants[field] ?? []
      const lost = (made[field] ?? []).find((each) => variants.includes(each) && !wereMade.includes(each))
      if (lost === undefined) continue
      const { variants: renames } = await renamesSince(db, tag.tag_id, settled)
      const became = renames.get(field)?.get(lost)
      throw changed(settled, `the variant '${lost}' of the field '${field}' of the tag '${tag.name}'`, became)
    }
  }
}

const findsById = (id: string, tag: PlannedTag): boolean => id.toUpperCase() === tag?.tag_id

const fieldsIn = (columns: readonly ColumnTarget[]): FieldTarget[] =>
  columns.flatMap(({ to }) => (typeof to === 'object' ? to : []))

async function requireTag(
  db: Db,
  settled: Settled,
  { tag_id, name }: NonNullable<PlannedTag>,
  isById: boolean,
): Promise<void> {
  if (tag_id === null) {
    if (await findTagByName(db, name)) throw await nameTaken(db, name)
    return
  }
  const stored = await findTagById(db, tag_id)
  if (!stored) throw gone(settled, `the tag '${name}'`)
  if (!isById && stored.name !== name) throw changed(settled, `the tag '${name}'`, stored.name)
}

/** Tags whose items a reference means: of a field that is there by their ids, else as the mapping calls them. */
async function requireMeant(
  db: Db,
  settled: Settled,
  { of_tags, of_names = {} }: FieldTarget,
): Promise<void> {
  for (const tag_id of of_tags) {
    const stored = await findTagById(db, tag_id)
    const name = of_names[tag_id] ?? (stored ?? (await findDeletedTag(db, tag_id)))?.name ?? tag_id
    const what = `the tag '${name}', whose items are meant,`
    if (!stored) throw gone(settled, what)
    if (stored.name !== name) throw changed(settled, what, stored.name)
  }
}

async function requireFields(db: Db, settled: Settled, t: number, stored: StoredTag): Promise<void> {
  const tag = settled.plan.tags[t]!
  const fields = fieldsIn(settled.plan.targets[t]!.columns).filter(
    ({ field }) => !tag.makes.fields.includes(field),
  )
  if (!fields.length) return
  const { fields: renames } = await renamesSince(db, stored.tag_id, settled)
  for (const { field } of fields) {
    const became = renames.get(field)
    if (became === undefined && stored.schema.has(field)) continue
    throw changed(settled, `the field '${field}' of the tag '${stored.name}'`, became)
  }
}

async function renamesSince(db: Db, tag_id: Ulid, { newest }: Settled): Promise<NetRenames> {
  return newest === null ? NO_RENAMES : renamesAfter(await renamesOf(db, [tag_id]), newest)
}

const gone = (settled: Settled, what: string): ServiceError => since(settled, `${what} has been deleted`)

const changed = (settled: Settled, what: string, became: string | undefined): ServiceError =>
  since(settled, became === undefined ? `${what} has been removed` : `${what} is called '${became}' by now`)

const since = ({ import_id }: Settled, what: string): ServiceError =>
  conflict(`Since the columns were mapped ${what}`, {
    suggestion: `Nothing was written. Say anew where the columns go, with PUT /api/imports/${import_id}, or undo that change, and run it again`,
  })
