import { type Caller, userOf } from '#src/domain/caller.ts'
import { forbidden } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { findView, type ViewRow, viewNotFound } from '#src/storage/views/views.ts'

/**
 * A view that the caller may read: their own, or one that its owner shares.
 * @throws NotFound for an absent, a malformed and another user's own id alike
 */
export async function readableView(db: Db, caller: Caller, view_id: string): Promise<ViewRow> {
  const id = parseUlid(view_id)
  const view = id && (await findView(db, id))
  if (!view || (view.user_id !== userOf(caller) && !view.shared)) throw viewNotFound(view_id)
  return view
}

/** Whether the caller may end that somebody else shares a view (additions §1). */
export const mayUnshare = ({ role }: Caller, view: ViewRow): boolean => role === 'owner' && view.shared === 1

/** A view that the caller may change. @throws NotFound as `readableView`, Forbidden for one that another shares */
export async function ownView(db: Db, caller: Caller, view_id: string): Promise<ViewRow> {
  const view = await readableView(db, caller, view_id)
  if (view.user_id !== userOf(caller))
    throw forbidden('This view is shared by somebody else; only its owner changes it', {
      suggestion: 'Save its filter as a view of your own, and change that',
    })
  return view
}
