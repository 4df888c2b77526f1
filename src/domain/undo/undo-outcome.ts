import { sameJson } from '#src/domain/same-json.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { UndoWorld } from '#src/domain/undo/undo-world.ts'

/** What cannot be set back, in words; without it, it was. */
export interface Refusal {
  path?: string | null
  /** The tag that it is about, where that is not the event's own. */
  tag_id?: Ulid
  reason: string
  suggestion: string
}

/** What an inverse needs besides its event. */
export interface Undoing {
  world: UndoWorld
  /** Tags whose own deletion cannot be undone: nothing comes back to them. */
  dead: ReadonlySet<Ulid>
  /** Events that would give a tag a name which another one has in the end. */
  clashing: ReadonlyMap<Ulid, string>
  /** Events of tags that came with the creation of their item: they go and come with it. */
  initial: ReadonlySet<Ulid>
}

/** What one event came to. */
export interface Outcome {
  undone: boolean
  refused: readonly Refusal[]
}
export const DONE: Outcome = { undone: true, refused: [] }
export const refuse = (refusal: Refusal): Outcome => ({ undone: false, refused: [refusal] })

export const sameValues = (values: ReadonlyMap<string, unknown>, told: object): boolean =>
  values.size === Object.keys(told).length &&
  Object.entries(told).every(([name, value]) => values.has(name) && sameJson(values.get(name), value))
