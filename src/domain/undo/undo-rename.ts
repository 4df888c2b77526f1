import { type FieldMap } from '#src/domain/field-schema.ts'
import { sameShape } from '#src/domain/field-shape.ts'
import { howToFree, type NameObstacle, obstacleOn, obstructing } from '#src/domain/name-obstacle.ts'
import { netRenames } from '#src/domain/net-renames.ts'
import { inverseRenames, isRenamedAgain, type PastRename, wholeFieldsNow } from '#src/domain/past-rename.ts'
import { entryRenamer, type TagRename } from '#src/domain/renamed-entry.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { TagRenames } from '#src/domain/tag-renames.ts'
import { DONE, type Outcome, refuse } from '#src/domain/undo/undo-outcome.ts'
import type { UndoTag, UndoWorld } from '#src/domain/undo/undo-world.ts'

/** Takes names of fields and variants back, with the values of all items that have the tag. */
export function undoRename(rename: PastRename, tag: UndoTag, world: UndoWorld): Outcome {
  const since = world.renames
    .get(tag.tag_id)!
    .flatMap(({ event_id, renames: each }) => (event_id > rename.event_id ? each : []))
  const later = netRenames(since)
  const asLeft =
    !isRenamedAgain(rename.renames, later) && sameJson(tag.fields, wholeFieldsNow(rename.after, later))
  const renames = inverseRenames(rename.renames, later)
  // Undefined where another field or variant has been given a name that would come back.
  const fields = wholeFieldsNow(rename.before, netRenames([rename.renames, ...since, renames]))
  if (!asLeft || !fields || sameJson(tag.fields, fields))
    return refuse({
      path: 'fields',
      reason: 'The fields have been changed since',
      suggestion: 'Undo the later change too, or leave this one out',
    })
  const obstacle = world.occupied.get(rename.event_id) ?? obstacleAmong(world, tag, renames)
  if (obstacle) {
    const way = howToFree(obstacle)
    return refuse({
      path: 'fields',
      reason: `The ${obstructing(obstacle)} has ${obstacle.kept}, where the old name comes back`,
      suggestion: way[0]!.toUpperCase() + way.slice(1),
    })
  }
  takeBack(tag, { renames, before: tag.fields, after: fields }, world)
  world.renames.set(
    tag.tag_id,
    world.renames.get(tag.tag_id)!.filter(({ event_id }) => event_id !== rename.event_id),
  )
  return DONE
}

function obstacleAmong(
  { items }: UndoWorld,
  { tag_id }: UndoTag,
  renames: TagRenames,
): NameObstacle | undefined {
  for (const { item_id, presence, tags } of items.values()) {
    const entry = tags.get(tag_id)
    const item = { item_id, is_deleted: presence === 'deleted' }
    const found = entry && obstacleOn(item, Object.fromEntries(entry.values), renames)
    if (found) return found
  }
  return undefined
}

function takeBack(
  tag: UndoTag,
  { renames, before, after }: Pick<TagRename, 'renames' | 'before' | 'after'>,
  { items }: UndoWorld,
): void {
  const old_schema_version = versionOf(tag, before)
  const schema_version = old_schema_version + raise(before, after)
  const step = { renames, before, after, old_schema_version, schema_version }
  const renamed = entryRenamer(step)
  for (const { tags } of items.values()) {
    const entry = tags.get(tag.tag_id)
    if (!entry) continue
    const now = renamed({ schema_version: entry.schema_version, values: Object.fromEntries(entry.values) })
    tags.set(tag.tag_id, { schema_version: now.schema_version, values: new Map(Object.entries(now.values)) })
  }
  tag.renamed.push(step)
  tag.fields = after
}

const raise = (before: FieldMap, after: FieldMap) => (sameShape(before, after) ? 0 : 1)

/** The version that the tag has with these fields, when the renames before are taken back. */
export function versionOf(
  { renamed, schema_version, stored_fields }: Pick<UndoTag, 'renamed' | 'schema_version' | 'stored_fields'>,
  fields: FieldMap,
): number {
  const last = renamed.at(-1)
  return last
    ? last.schema_version + raise(last.after, fields)
    : schema_version + raise(stored_fields, fields)
}
