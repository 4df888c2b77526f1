import type { FlatFields } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { type FileElement, fileIdsIn, type KnownFiles } from '#src/domain/file-values.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { mayUse } from '#src/storage/files/may-read.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { findFiles } from '#src/storage/files/files.ts'

/** The files that given values name, as far as the caller may read them: no others are known to them. */
export async function knownFiles(
  context: Pick<SqlContext, 'db' | 'caller'>,
  given: readonly (readonly [schema: FlatFields, values: FieldValues])[],
): Promise<KnownFiles> {
  const wanted = new Set<Ulid>()
  for (const [schema, values] of given)
    for (const [name, value] of Object.entries(values))
      if (schema.get(name)?.type === 'File') for (const file_id of fileIdsIn(value)) wanted.add(file_id)
  return usableFiles(context, wanted)
}

/** Those of the files that the caller may read. */
export async function usableFiles(
  context: Pick<SqlContext, 'db' | 'caller'>,
  wanted: ReadonlySet<Ulid>,
): Promise<KnownFiles> {
  const known = new Map<Ulid, FileElement>()
  for (const file of (await findFiles(context.db, wanted)).values()) {
    const { file_id, name, size, type, removed_at } = file
    if (removed_at === null && (await mayUse(context.db, context.caller, file)))
      known.set(file_id, { file_id, name, size, type })
  }
  return known
}
