import { type Caller, userOf } from '#src/domain/caller.ts'
import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { findView, type ViewRow } from '#src/storage/views/views.ts'

/** @throws NotFound for an absent, a malformed and another user's id alike. */
export async function ownView(db: Db, caller: Caller, view_id: string): Promise<ViewRow> {
  const id = parseUlid(view_id)
  const view = id && (await findView(db, userOf(caller), id))
  if (!view) throw notFound('View', view_id)
  return view
}
