import { idOfPart, type ProposedPart, type StoredPart } from '#src/domain/proposals/proposed-part.ts'
import type { Ulid } from '#src/domain/ulid.ts'

const IDS = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g

/** The text with ids in place of others. They have 80 bits of chance: no other text has one of them in it. */
export const withIds = (text: string, ids: ReadonlyMap<string, string>): string =>
  ids.size ? text.replaceAll(IDS, (id) => ids.get(id) ?? id) : text

/**
 * Which parts each part goes with: those that make what it refers to, and those that bring its tags to the fields that
 * its values are of. Positions by position.
 */
export function needsOf(parts: readonly StoredPart[]): Map<number, Set<number>> {
  const makers = new Map<Ulid, number>()
  const schemas = new Map<Ulid, number>()
  for (const part of parts) {
    if (part.made_item ?? part.made_tag) makers.set(idOfPart(part), part.position)
    if (part.tag_id !== null && bringsSchema(part)) schemas.set(part.tag_id, part.position)
  }
  return new Map(parts.map((part) => [part.position, needsOfPart(part, makers, schemas)]))
}

const bringsSchema = ({ events }: ProposedPart): boolean =>
  events.some(
    ({ event_type, details }) =>
      event_type === 'tag_deleted' ||
      details.fields_changed?.some((property) => property === 'fields' || property === 'extends'),
  )

function needsOfPart(
  part: StoredPart,
  makers: ReadonlyMap<Ulid, number>,
  schemas: ReadonlyMap<Ulid, number>,
): Set<number> {
  const needed = new Set<number>()
  const add = (position: number | undefined) => {
    if (position !== undefined && position !== part.position) needed.add(position)
  }
  if (makers.size) for (const [id] of JSON.stringify(part).matchAll(IDS)) add(makers.get(id))
  if (part.item_id === null) return needed
  for (const { tag_id } of part.made_item?.tags ?? []) add(schemas.get(tag_id))
  for (const { event_type, tag_id } of part.events)
    if (event_type === 'tag_removed' || event_type === 'tag_values_updated') add(schemas.get(tag_id!))
  return needed
}

/** These parts, and all that they go with. */
export function withNeeded(
  chosen: Iterable<number>,
  needs: ReadonlyMap<number, ReadonlySet<number>>,
): Set<number> {
  const all = new Set<number>()
  const open = [...chosen]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (all.has(next)) continue
    all.add(next)
    open.push(...(needs.get(next) ?? []))
  }
  return all
}
