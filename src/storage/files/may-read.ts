import type { Caller } from '#src/domain/caller.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { filesInJson } from '#src/domain/mentioned-files.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { StoredFile } from '#src/storage/files/files.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { sightOf } from '#src/storage/sight/sight.ts'

const itemsOf = query((p: { file: number }, sql) =>
  sql
    .selectFrom('file_use')
    .select('item_id')
    .where('file', '=', p.file)
    .orderBy('item_id', 'desc')
    .limit(MOST),
)
/** Items that are looked at for one of which a limited key sees. */
const MOST = 1000

type Asked = Pick<StoredFile, 'id' | 'file_id' | 'shared' | 'user_id'>

/**
 * Who reads a file (further §14): whoever reads the base, once something has referred to it; before that the account
 * that sent it. A limited key reads what an item in its sight has.
 */
export async function mayRead(
  db: Db,
  { user_id, limited }: Pick<Caller, 'user_id' | 'limited'>,
  file: Asked,
): Promise<boolean> {
  if (limited || sightOf(db)) return isInSight(db, file)
  return file.shared === 1 || isOwn(user_id, file)
}

/** Whether an item may get it: also by a limited key what its account has just sent. */
export const mayUse = async (
  db: Db,
  caller: Pick<Caller, 'user_id' | 'limited'>,
  file: Asked,
): Promise<boolean> => (file.shared === 0 && isOwn(caller.user_id, file)) || mayRead(db, caller, file)

const isOwn = (user_id: string | null, file: Asked): boolean =>
  file.user_id !== null && file.user_id === user_id

async function isInSight(db: Db, { id, file_id }: Asked): Promise<boolean> {
  for (const { item_id } of await db.all(itemsOf, { file: id }))
    if (filesInJson(await seenItem(db, item_id)).has(file_id)) return true
  return false
}

/** As the caller sees it; nothing where they do not. */
async function seenItem(db: Db, item_id: string): Promise<string> {
  try {
    return await itemJson(db, item_id)
  } catch (error) {
    if (error instanceof ServiceError) return ''
    throw error
  }
}
