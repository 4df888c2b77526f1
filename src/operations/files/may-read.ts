import type { SqlContext } from '#src/runtime/operation.ts'
import type { StoredFile } from '#src/storage/files/files.ts'

/**
 * Who reads a file (further §14): whoever reads the base, once something has referred to it; before that the account
 * that sent it.
 */
export async function mayRead(
  { caller }: Pick<SqlContext, 'caller'>,
  { shared, user_id }: Pick<StoredFile, 'shared' | 'user_id'>,
): Promise<boolean> {
  return shared === 1 || (user_id !== null && user_id === caller.user_id)
}
