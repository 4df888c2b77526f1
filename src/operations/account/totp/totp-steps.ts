import { badRequest, unauthorized } from '#src/domain/errors.ts'
import { judgeCode, refuseCodes } from '#src/operations/account/totp/judge-code.ts'
import { proves, unprovenAt } from '#src/runtime/fresh-proof.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { findAccount } from '#src/storage/accounts/accounts.ts'
import { replaceRecoveryCodes } from '#src/storage/accounts/recovery-codes.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import {
  deleteTotp,
  findTotp,
  insertPendingTotp,
  markTotpActive,
  useTotpStep,
} from '#src/storage/accounts/totp.ts'

interface Input {
  /** Sealed. */
  secret: string
}

/** Keeps a TOTP secret until it is confirmed. */
export const savePendingTotp = defineStep({
  name: 'savePendingTotp',
  effect: 'write',
  still: 'own',
  async run(context, { secret }: Input) {
    const { db, caller, now } = context
    const account = await findAccount(db, caller.user_id!)
    if (!account) throw unauthorized('This account is gone')
    if ((await findTotp(db, account.user_id))?.state === 'active')
      throw badRequest('TOTP is active already', {
        suggestion: 'Disable it first with POST /api/auth/2fa/totp/disable',
      })
    const { user_id } = account
    const unproven_at = unprovenAt(context)
    await insertPendingTotp(db, { user_id, secret, created_at: now.toISOString(), unproven_at })
    return { email: account.email }
  },
})

/**
 * Makes a pending TOTP secret active; answers whether it was still pending. Whoever began to set it up knows it: so it proves
 * nothing either where that session proved itself only afterwards.
 */
export const activateTotp = defineStep({
  name: 'activateTotp',
  effect: 'write',
  still: 'own',
  async run(context, { secret }: { secret: string }) {
    const { db, caller, now } = context
    const user_id = caller.user_id!
    const begunUnproven = (await findTotp(db, user_id))?.unproven_at
    const unproven_at = begunUnproven ? now.toISOString() : unprovenAt(context)
    if (!(await markTotpActive(db, user_id, secret, unproven_at))) return false
    await appendSecurityEvent(db, context, {
      event_type: 'totp_enabled',
      user_id,
      details: unproven_at === null ? {} : { unproven: true },
    })
    return true
  },
})

/** The caller's TOTP secret, sealed, and whether it proves who they are; refused where the caller has failed too often. */
export const findOwnTotp = defineStep({
  name: 'findOwnTotp',
  effect: 'read',
  inline: true,
  async run(context) {
    const { db, caller } = context
    const account = await findAccount(db, caller.user_id!)
    if (!account) throw unauthorized('This account is gone')
    await refuseCodes(context, account)
    const totp = await findTotp(db, account.user_id)
    return { totp: totp ?? null, proves: !totp || proves(caller, totp.unproven_at) }
  },
})

interface GivenCode {
  /** The secret that the code was checked against. */
  secret: string
  /** The time step of the code; null: it was wrong. */
  step: number | null
  /** It is good once, and not where it was used before. */
  once: boolean
}

/** Takes a code of the caller's active TOTP; false: it was wrong, and counted. */
export const takeCode = defineStep({
  name: 'takeCode',
  effect: 'write',
  async run(context, { secret, step, once }: GivenCode): Promise<boolean> {
    const { db, caller } = context
    const account = await findAccount(db, caller.user_id!)
    if (!account) throw unauthorized('This account is gone')
    const { user_id } = account
    return judgeCode(context, account, async () => {
      const totp = await findTotp(db, user_id)
      if (step === null || totp?.state !== 'active' || totp.secret !== secret) return false
      return !once || useTotpStep(db, user_id, step)
    })
  },
})

/** Takes the caller's TOTP secret away; answers whether it still was that one. */
export const removeTotp = defineStep({
  name: 'removeTotp',
  effect: 'write',
  still: 'own',
  async run(context, { secret, state }: { secret: string; state: string }) {
    const { db, caller } = context
    const totp = await findTotp(db, caller.user_id!)
    if (totp?.secret !== secret || totp.state !== state) return false
    if (state === 'active')
      await appendSecurityEvent(db, context, { event_type: 'totp_disabled', user_id: caller.user_id })
    return deleteTotp(db, caller.user_id!)
  },
})

/** Keeps new recovery codes of the caller; answers whether TOTP is still active. */
export const keepRecoveryCodes = defineStep({
  name: 'keepRecoveryCodes',
  effect: 'write',
  still: 'own',
  async run(context, { code_hashes }: { code_hashes: string[] }): Promise<boolean> {
    const { db, caller } = context
    const user_id = caller.user_id!
    if ((await findTotp(db, user_id))?.state !== 'active') return false
    await replaceRecoveryCodes(db, user_id, code_hashes)
    await appendSecurityEvent(db, context, { event_type: 'recovery_codes_made', user_id })
    return true
  },
})
