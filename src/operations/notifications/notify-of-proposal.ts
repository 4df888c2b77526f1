import type { Ulid } from '#src/domain/ulid.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { markReadAbout, tell, usersWithRole } from '#src/storage/notifications/notifications.ts'

/** Those who decide are notified: not who proposed it in the application, but who let a key, an app or the assistant do so. */
export async function notifyOfProposal(context: SqlContext, proposal_id: Ulid): Promise<void> {
  const { db, caller } = context
  const { user_id, session, source } = caller
  const deciders = await usersWithRole(db, ['owner', 'editor'])
  const isOwn = session !== null && source === 'rest'
  await tell(
    context,
    deciders.filter((each) => !isOwn || each !== user_id),
    { kind: 'proposal', about: proposal_id, done_by: user_id },
  )
}

/** The proposer is notified, where somebody else decided; for those who decide it is no news any more. */
export async function notifyOfDecision(
  context: SqlContext,
  { proposal_id, user_id }: { proposal_id: Ulid; user_id: Ulid },
  { change_id = null }: { change_id?: Ulid | null } = {},
): Promise<void> {
  const { caller } = context
  if (caller.user_id !== null) await markReadAbout(context, caller.user_id, proposal_id)
  if (caller.user_id === user_id) return
  await tell(context, [user_id], {
    kind: 'proposal_decided',
    about: proposal_id,
    done_by: caller.user_id,
    change_id,
  })
}
