import type { Look } from '#src/imports/look/look.ts'
import { usableFiles } from '#src/operations/files/known-files.ts'
import { itemsWithId } from '#src/operations/imports/meet-items.ts'
import type { SqlContext } from '#src/runtime/operation.ts'

const SHOWN = 1000

/** Files that items of ours had, and that this base lacks: the text of their items does not have their bytes. */
export async function missingFiles(
  context: SqlContext,
  { files = [] }: Pick<Look, 'files'>,
): Promise<Look['left_out']> {
  const known = await usableFiles(context, new Set(files.map(({ file_id }) => file_id)))
  const missing = files.filter(({ file_id }) => !known.has(file_id))
  const left_out = missing.slice(0, SHOWN).map(({ name }) => ({ name, reason: NO_BYTES }))
  const more = missing.length - left_out.length
  return more ? [...left_out, { name: `${more} more files`, reason: NO_BYTES }] : left_out
}

const NO_BYTES = 'its bytes are not in the file, and this base has no such file; a Markdown export has them'

/** Whether all ids are those of living items. */
export async function areItems(context: SqlContext, ids: readonly string[]): Promise<boolean> {
  const found = await itemsWithId(context, ids)
  return ids.every((id) => found.has(id))
}
