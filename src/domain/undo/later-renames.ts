import type { TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { UndoWorld } from '#src/domain/undo/undo-world.ts'

/** The renames of a tag that followed an event and are in force, oldest first. */
export const laterRenames = ({ renames }: UndoWorld, tag_id: Ulid, event_id: Ulid): TagRenames[] =>
  (renames.get(tag_id) ?? []).flatMap((each) => (each.event_id > event_id ? each.renames : []))
