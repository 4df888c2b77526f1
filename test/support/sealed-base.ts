import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestClock } from '#test/support/clock.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { startFacet } from '#test/support/facet-command.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'
import { totpCode } from '#test/support/totp-codes.ts'

const PASSWORD = 'correct horse'
const TOTP = '/api/auth/2fa/totp'

/** A database with the services and commands that come and go on it, each with its own keys. */
export class SealedBase {
  readonly folder = mkdtempSync(join(tmpdir(), 'facet-sealed-'))
  private readonly clock = new TestClock('2026-01-31T09:30:10.000Z')
  private readonly database: Promise<TestDatabase> = testDatabase(this.folder)

  /** The service with a SECRET_KEY; empty: with the key of the file. */
  async serve<T>(SECRET_KEY: string, use: (service: Service) => Promise<T>): Promise<T> {
    const { url } = await this.database
    const service = await startService({ env: { DATABASE_URL: url, SECRET_KEY }, clock: this.clock.now })
    try {
      return await use(service)
    } finally {
      await service.close()
    }
  }

  async command(SECRET_KEY: string, ...words: string[]) {
    return startFacet((await this.database).url, words, { SECRET_KEY }).done
  }

  async query(sql: string) {
    return queryDatabase({ database_url: (await this.database).url }, sql)
  }

  /** What the database has in place of the secrets. */
  async stored(): Promise<string[]> {
    return (await this.query('select secret from totp order by user_id')).map(({ secret }) => String(secret))
  }

  /** An account with TOTP and recovery codes. */
  async enrol(service: Service, email: string) {
    const client = await service.user(email, PASSWORD)
    const { secret } = await client.ok('POST', `${TOTP}/setup`)
    const code = totpCode(secret, this.clock.now())
    await client.ok('POST', `${TOTP}/confirm`, { code })
    const { codes } = await client.ok('POST', '/api/auth/2fa/recovery-codes', { code })
    return { client, secret: secret as string, codes: codes as string[] }
  }

  /** A sign-in to its end, by the secret's present code or another one that is given. */
  async signIn(service: Service, email: string, by: { secret: string } | { code: string }) {
    this.clock.move({ minutes: 2 })
    const client = service.client()
    await client.ok('POST', '/api/auth/login', { email, password: PASSWORD })
    const code = 'code' in by ? by.code : totpCode(by.secret, this.clock.now())
    return client.post(`${TOTP}/verify`, { code })
  }

  async close(): Promise<void> {
    await (await this.database).drop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
