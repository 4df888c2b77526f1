import { emailKey } from '#src/auth/email.ts'
import { retryAfter } from '#src/auth/login-failures.ts'
import { refuseRegistration, registrationKey, REGISTRATIONS } from '#src/auth/registration.ts'
import type { Config, Registration } from '#src/config/config.ts'
import { isLoopback } from '#src/config/setting.ts'
import type { Role as RoleName } from '#src/domain/caller.ts'
import { forbidden, tooManyRequests } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { isFirstAccount } from '#src/storage/accounts/accounts.ts'
import {
  deleteSetupInvitations,
  findInvitation,
  type Invitation,
  openInvitations,
  useInvitation,
} from '#src/storage/accounts/invitations.ts'
import { failuresOf, insertFailure } from '#src/storage/accounts/login-failures.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** What the configuration says of new accounts, as it crosses to the threads. */
export interface Terms {
  registration: Registration
  default_role: 'editor' | 'reader'
  /** The first account owns the base: where others can reach the service it takes the token that the start prints. */
  guarded: boolean
  /** Invitations are used by signing in with a provider of their address (further §21). */
  passwords: boolean
}

export const termsOf = ({ registration, default_role, public_url, passwords }: Config): Terms => ({
  registration,
  default_role,
  guarded: !isLoopback(new URL(public_url).hostname),
  passwords,
})

export interface Admission {
  role: RoleName
  /** What let them in. */
  invitation: Invitation | null
  first: boolean
  /** It has still to be counted for the address that it is asked from. */
  uncounted: boolean
}

interface Applicant {
  email: string
  invitation_hash: string | null
  /** A provider vouches for the address. */
  proven?: boolean
  /** The request was counted already (`countAsked`), before anything costly was done. */
  counted?: boolean
}

/** Whether somebody may make an account, and what it may do. @throws Forbidden */
export async function admit(
  { db, now }: Pick<SqlContext, 'db' | 'now'>,
  { registration, default_role, guarded, passwords }: Terms,
  { email, invitation_hash, proven = false, counted = false }: Applicant,
): Promise<Admission> {
  const first = await isFirstAccount(db)
  if (invitation_hash !== null) {
    const invitation = await findInvitation(db, invitation_hash)
    if (!invitation || !isGood(invitation, { email, first, now })) throw notInvited()
    return { role: invitation.role, invitation, first, uncounted: false }
  }
  const waiting = !passwords && proven ? await openInvitations(db, now) : []
  const own = waiting.find(({ email: invited }) => invited !== null && isSame(invited, email))
  if (own) return { role: own.role, invitation: own, first, uncounted: false }
  if (first && guarded) throw needsSetupToken()
  refuseRegistration(registration, { email, proven })
  return { role: first ? 'owner' : default_role, invitation: null, first, uncounted: !counted }
}

/** Counts an account that somebody asks for without an invitation. @throws TooManyRequests where their address has asked for too many */
export async function countAsked({
  db,
  caller,
  now,
}: Pick<SqlContext, 'db' | 'caller' | 'now'>): Promise<void> {
  const key = registrationKey(caller.address)
  if (key === null) return
  const seconds = retryAfter(await failuresOf(db, key, now, REGISTRATIONS), now, REGISTRATIONS)
  if (seconds !== null)
    throw tooManyRequests(
      `At most ${REGISTRATIONS.max} accounts an hour may be asked for from one address without an invitation`,
      seconds,
    )
  await insertFailure(db, key, now)
}

/** Uses up what let the new account in, or counts it. Afterwards there is nothing to set up. */
export async function settleAdmission(
  context: SqlContext,
  { invitation, first, uncounted }: Admission,
  user_id: Ulid,
): Promise<void> {
  const { db, now } = context
  if (uncounted) await countAsked(context)
  if (invitation) {
    const { invitation_id } = invitation
    if (!(await useInvitation(db, invitation_id, user_id, now))) throw notInvited()
    await appendSecurityEvent(db, context, {
      event_type: 'invitation_used',
      user_id,
      actor_id: user_id,
      details: { invitation_id },
    })
  }
  if (first) await deleteSetupInvitations(db)
}

function isGood(
  { created_by, used_at, expires_at, email: invited }: Invitation,
  { email, first, now }: { email: string; first: boolean; now: Date },
): boolean {
  if (created_by === null && !first) return false
  return used_at === null && expires_at > now.toISOString() && (invited === null || isSame(invited, email))
}

const isSame = (a: string, b: string) => emailKey(a) === emailKey(b)

const notInvited = () =>
  forbidden('This invitation is unknown, was used, has expired, or is for another address', {
    suggestion: 'Ask an owner of this base for a new one',
  })

const needsSetupToken = () =>
  forbidden(
    'The first account owns the base, so it needs the token that the service printed when it started',
    {
      suggestion:
        'Send it as "invitation", or make the account with `npm run facet -- user create EMAIL --role owner`',
    },
  )
