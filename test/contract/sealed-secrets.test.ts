import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { newSecretKey } from '#test/support/fixtures.ts'
import { SealedBase } from '#test/support/sealed-base.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

const [KEY, OTHER] = [newSecretKey(), newSecretKey()]
const ADA = 'ada@example.org'
const LOST = {
  status: 503,
  body: {
    error: 'ServiceUnavailable',
    message: expect.stringContaining('lost the key'),
    suggestion: expect.stringContaining('recovery code'),
  },
}

const bases: SealedBase[] = []
function newBase(): SealedBase {
  const base = new SealedBase()
  bases.push(base)
  return base
}
const folder = mkdtempSync(join(tmpdir(), 'facet-exports-'))
afterAll(async () => {
  for (const base of bases) await base.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('TOTP secrets in the database', () => {
  it('are encrypted from the setup on, each for itself', async () => {
    const base = newBase()
    await base.serve(KEY, async (service) => {
      const pending = await service.user()
      const { secret: first } = await pending.ok('POST', '/api/auth/2fa/totp/setup')
      const { secret } = await base.enrol(service, ADA)
      const stored = await base.stored()
      expect(stored).toEqual([expect.stringMatching(/^sealed1:/), expect.stringMatching(/^sealed1:/)])
      expect(JSON.stringify(stored)).not.toContain(first)
      expect(JSON.stringify(stored)).not.toContain(secret)
      expect(await base.signIn(service, ADA, { secret })).toMatchObject({ status: 200 })
    })
  })

  it('of an older version are encrypted at the start, and go on working', async () => {
    const base = newBase()
    const { secret } = await base.serve(KEY, (service) => base.enrol(service, ADA))
    await base.query(`update totp set secret = '${secret}'`)
    await base.serve(KEY, async (service) => {
      expect(await base.stored()).toEqual([expect.stringMatching(/^sealed1:/)])
      expect(await base.signIn(service, ADA, { secret })).toMatchObject({ status: 200 })
    })
  })

  it('change over to a new key at the start; then the old one may go', async () => {
    const base = newBase()
    const { secret } = await base.serve(KEY, (service) => base.enrol(service, ADA))
    const [before] = await base.stored()
    await base.serve(`${OTHER}, ${KEY}`, async (service) => {
      expect(await base.stored()).not.toEqual([before])
      expect(await base.signIn(service, ADA, { secret })).toMatchObject({ status: 200 })
    })
    await base.serve(OTHER, async (service) => {
      expect(await base.signIn(service, ADA, { secret })).toMatchObject({ status: 200 })
    })
  })

  it('open for their own account alone', async () => {
    const base = newBase()
    await base.serve(KEY, async (service) => {
      const { secret } = await base.enrol(service, ADA)
      await base.enrol(service, 'eve@example.org')
      // Who can write to the database gives somebody else their own second factor.
      await base.query(`update totp set secret = (select min(secret) from totp)`)
      const answers = [
        await base.signIn(service, ADA, { secret }),
        await base.signIn(service, 'eve@example.org', { secret }),
      ]
      expect(answers.map(({ status }) => status)).toContain(503)
    })
  })

  it('whose key is lost: everybody learns the way out, and recovery codes work', async () => {
    const base = newBase()
    const { secret, codes } = await base.serve(KEY, (service) => base.enrol(service, ADA))
    await base.serve(OTHER, async (service) => {
      expect(await base.signIn(service, ADA, { secret })).toMatchObject(LOST)
      const signedIn = await base.signIn(service, ADA, { code: codes[0]! })
      expect(signedIn).toMatchObject({ status: 200, body: { has_totp: true } })
      const { client } = await base.enrol(service, 'bob@example.org')
      expect((await client.get('/api/auth/me')).body.has_totp).toBe(true)
    })
    expect(await base.command(OTHER, 'user', 'remove-totp', ADA)).toMatchObject({ code: 0 })
    await base.serve(OTHER, async (service) => {
      const body = { email: ADA, password: 'correct horse' }
      expect(await service.client().post('/api/auth/login', body)).toMatchObject({
        body: { has_totp: false },
      })
    })
  })

  it('whose key is lost: doctor says so as a start does, and no copy is said to hold it', async () => {
    const base = newBase()
    await base.serve(KEY, (service) => base.enrol(service, ADA))
    const secrets = async (key: string) => {
      const { out } = await base.command(key, 'doctor', '--json')
      return (JSON.parse(out) as { check: string }[]).find(({ check }) => check === 'secrets')
    }
    const says = expect.stringMatching(
      /^The TOTP secrets of 1 account are encrypted with a key that is not here/,
    )
    const lost = { state: 'fail', says, do: expect.stringMatching(/^Put the key back \(SECRET_KEY/) }
    expect(await secrets(KEY)).toMatchObject({ state: 'ok' })
    expect(await secrets(OTHER)).toMatchObject(lost)
    if (TEST_ENGINE === 'postgres')
      // There a start without a SECRET_KEY is refused.
      return expect(await secrets('')).toMatchObject({
        state: 'fail',
        says: expect.stringContaining('1 TOTP secret encrypted with another key'),
        do: expect.stringContaining('one SECRET_KEY'),
      })
    expect(await secrets('')).toMatchObject(lost)
    await base.serve('', async () => {}) // makes a key
    expect(await secrets('')).toMatchObject(lost)
    const copy = join(folder, 'lost.db')
    const { out } = await base.command('', 'backup', copy)
    expect(out).toMatch(
      /\nThe key of its secrets is not in it: what is encrypted does not open with \S+facet\.key\n$/,
    )
    expect((await base.command('', 'restore', copy, '--check')).out).toContain(
      'restore it with the key file (facet.key) or the SECRET_KEY of then',
    )
  })

  it('asks for the key before it checks: no code of a lost secret counts as wrong', async () => {
    const base = newBase()
    const { secret } = await base.serve(KEY, (service) => base.enrol(service, ADA))
    await base.serve(OTHER, async (service) => {
      for (let i = 0; i < 6; i++)
        expect(await base.signIn(service, ADA, { code: '123456' })).toMatchObject(LOST)
    })
    await base.serve(KEY, async (service) => {
      expect(await base.signIn(service, ADA, { secret })).toMatchObject({ status: 200 })
    })
  })

  it('move with an export: plain in the file, encrypted with the key of where they come to', async () => {
    const [from, to] = [newBase(), newBase()]
    const { secret } = await from.serve(KEY, (service) => from.enrol(service, ADA))
    const first = join(folder, 'first.jsonl')
    expect(await from.command(KEY, 'export', '--accounts', '--out', first)).toMatchObject({ code: 0 })
    expect(readFileSync(first, 'utf8')).toContain(`"secret":"${secret}"`)
    expect(statSync(first).mode & 0o777).toBe(0o600)
    expect(await to.command(OTHER, 'import', first)).toMatchObject({ code: 0 })
    expect(await to.stored()).toEqual([expect.stringMatching(/^sealed1:/)])
    await to.serve(OTHER, async (service) => {
      expect(await to.signIn(service, ADA, { secret })).toMatchObject({ status: 200 })
    })
  })

  it('are not exported without their key, in a sentence', async () => {
    const base = newBase()
    await base.serve(KEY, (service) => base.enrol(service, ADA))
    const out = join(folder, 'none.jsonl')
    const { code, err } = await base.command(OTHER, 'export', '--accounts', '--out', out)
    expect(code).toBe(1)
    expect(err).toContain('is encrypted with a key that is not here')
    expect(err).toContain('user remove-totp')
    expect(await base.command(OTHER, 'export', '--out', out)).toMatchObject({ code: 0 })
  })
})
