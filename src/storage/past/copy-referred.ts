import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import type { Db } from '#src/sql/query.ts'
import { referenceFields } from '#src/storage/references/reference-fields.ts'
import { targetsOf } from '#src/storage/past/reference-pairs.ts'
import type { PastBase } from '#src/storage/past/past-base.ts'

/** What the items refer to, so that the base of then can name it. */
export async function copyReferences(base: Db, past: PastBase, items: readonly number[]): Promise<void> {
  const fields = [...(await referenceFields(past.db)).keys()]
  await past.copy(base, await targetsOf(past.db, fields, items))
}

/** What lies on the way from the items to the end of a path. */
export async function copyEnds(
  base: Db,
  past: PastBase,
  path: ValuePath,
  items: readonly number[],
): Promise<void> {
  let reached = items
  for (const { id } of path.hops) {
    reached = await targetsOf(past.db, [id], reached)
    await past.copy(base, reached)
  }
}
