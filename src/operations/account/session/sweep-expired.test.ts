import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAILURES_KEPT } from '#src/auth/login-failures.ts'
import { SESSION_LIFE } from '#src/auth/session.ts'
import { sweepExpired } from '#src/operations/account/session/session-steps.ts'
import { insertAccount } from '#src/storage/accounts/accounts.ts'
import { insertFailure } from '#src/storage/accounts/login-failures.ts'
import { insertOauthFlow } from '#src/storage/accounts/oauth-flows.ts'
import { insertSession } from '#src/storage/accounts/sessions.ts'
import { markTotpActive, insertPendingTotp, useTotpStep } from '#src/storage/accounts/totp.ts'
import { insertChallenge } from '#src/storage/accounts/webauthn-challenges.ts'
import { openBase } from '#test/support/base.ts'

// openBase's calls happen at this time.
const NOW = Date.parse('2026-01-31T09:30:00.000Z')
const at = (ms: number) => new Date(NOW + ms)
const text = (ms: number) => at(ms).toISOString()

describe('sweepExpired', () => {
  let base: Awaited<ReturnType<typeof openBase>>
  beforeEach(async () => {
    base = await openBase()
    await insertAccount(base.db, {
      user_id: 'U',
      email: 'ada@example.org',
      email_key: 'ada@example.org',
      display_name: null,
      password_hash: null,
      email_proven_at: null,
      created_at: text(0),
      role: 'editor',
    })
  })
  afterEach(() => base.close())

  const left = (table: string): number =>
    base.db.raw.prepare(`select count(*) from ${table}`).pluck().get() as number
  const session = (token_hash: string, expires_at: string) =>
    insertSession(base.db, {
      token_hash,
      user_id: 'U',
      state: 'full',
      created_at: text(0),
      expires_at,
      session_id: token_hash,
      user_agent: null,
      address: '',
      proven_at: text(0),
    })

  it('deletes what has expired, of every kind, and nothing else', async () => {
    const { db } = base
    await insertPendingTotp(db, {
      user_id: 'U',
      secret: 'SECRET',
      created_at: at(0).toISOString(),
      unproven_at: null,
    })
    await markTotpActive(db, 'U', 'SECRET', null)
    for (const ms of [-1, 1000]) {
      await session(`session ${ms}`, text(ms))
      const challenge = { challenge: `challenge ${ms}`, user_id: null, expires_at: text(ms) }
      await insertChallenge(db, { ...challenge, purpose: 'authentication' })
      await insertOauthFlow(db, {
        state_hash: `flow ${ms}`,
        provider: 'idp_a',
        browser_hash: '',
        nonce: '',
        code_verifier: '',
        token_hash: null,
        expires_at: text(ms),
      })
      await insertFailure(db, 'key', at(ms - FAILURES_KEPT))
      await useTotpStep(db, 'U', Math.floor(NOW / 30_000) + (ms < 0 ? -3 : -1))
    }
    expect(await base.runStep(sweepExpired, {})).toEqual({ ended: ['session -1'], more: false })
    for (const table of ['session', 'webauthn_challenge', 'oauth_flow', 'login_failure', 'totp_used_step'])
      expect(left(table), table).toBe(1)
    expect(left('account')).toBe(1)
  })

  it('takes a thousand at a time and says when there may be more', async () => {
    for (let i = 0; i < 1001; i++) await session(`session ${i}`, text(-SESSION_LIFE))
    expect(await base.runStep(sweepExpired, {})).toMatchObject({ more: true })
    expect(left('session')).toBe(1)
    expect(await base.runStep(sweepExpired, {})).toMatchObject({ more: false })
    expect(left('session')).toBe(0)
  })
})
