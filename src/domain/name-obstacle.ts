import { badRequest } from '#src/domain/errors.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { inTheWay, type TagRenames } from '#src/domain/tag-renames.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** An item that stands in the way of a rename: it keeps a value where renamed ones are to be. */
export interface NameObstacle {
  item_id: Ulid
  is_deleted: boolean
  /** `a value of an earlier field 'due'` */
  kept: string
}

/** What an item's values of a tag say against a rename. */
export function obstacleOn(
  item: Omit<NameObstacle, 'kept'>,
  values: FieldValues,
  renames: TagRenames,
): NameObstacle | undefined {
  const kept = inTheWay(values, renames)
  return kept === undefined ? undefined : { ...item, kept }
}

/** `item '01J…'`, in the trash or not. */
export const obstructing = ({ item_id, is_deleted }: NameObstacle): string =>
  `${is_deleted ? 'deleted item' : 'item'} '${item_id}'`

/** What frees the name. A value of a deleted item cannot be cleared where it is. */
export const howToFree = ({ item_id, is_deleted }: NameObstacle): string =>
  is_deleted
    ? `restore that item with POST /api/items/${item_id}/restore (restore_item) and clear that value, or purge the item`
    : 'clear that value first'

/**
 * Looks at one item, which may be in the trash: it comes back with its values, so these are renamed too.
 * @throws BadRequest where a renamed value would take the place of another
 */
export function checkNamesAreFree(
  { item_id, deleted_at }: { item_id: Ulid; deleted_at: string | null },
  values: FieldValues,
  renames: TagRenames,
): void {
  const obstacle = obstacleOn({ item_id, is_deleted: deleted_at !== null }, values, renames)
  if (!obstacle) return
  throw badRequest(`The ${obstructing(obstacle)} still has ${obstacle.kept}`, {
    suggestion: `Choose another name, or ${howToFree(obstacle)}`,
  })
}
