import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import { indexDisagreements } from '#test/support/index-disagreements.ts'
import { TEST_ALL } from '#test/support/runs.ts'

/** So many that they are worked out beforehand, and that their events are entered afterwards. */
const ITEMS = 5050
/** Of the time that a change and its events take: while it is worked out, written, and entered into the log. */
const MOMENTS = TEST_ALL ? [0.15, 0.35, 0.5, 0.65, 0.8, 0.95] : [0.3, 0.6, 0.9]
const TIMEOUT = 240_000

let folder: string
let file: string
let child: ChildProcess
let url: string
let cookie = ''

async function startServer(): Promise<void> {
  child = spawn(process.execPath, ['scripts/start.js'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PORT: '0', DATABASE_URL: `file:${file}`, LOG_LEVEL: 'silent' },
  })
  const lines = createInterface({ input: child.stdout! })
  const [line] = (await once(lines, 'line')) as [string]
  url = /at (\S+)$/.exec(line)![1]!
}

const send = (path: string, body: unknown): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  })

/** Ends when the service has answered, and the events are in the log. False where the connection was lost. */
async function setOwner(owner: string): Promise<boolean> {
  try {
    const response = await send('/api/items/bulk-update-fields', {
      filter: { has_tag: 'Task' },
      tag_id: 'Task',
      field_values: { owner },
      merge: true,
    })
    expect(response.status).toBe(200)
    await response.text()
    await (await send('/api/audit-log/search', { limit: 1 })).text()
    return true
  } catch (error) {
    if (!(error instanceof TypeError)) throw error // fetch: the connection broke
    return false
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-bulk-crash-'))
  file = join(folder, 'facet.db')
  await startServer()
  const account = { email: 'crash@example.org', password: 'never by halves' }
  cookie = (await send('/api/auth/register', account)).headers.get('set-cookie')!.split(';')[0]!
  await send('/api/tags', { name: 'Task', fields: { owner: 'String' } })
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    name: `Task ${i}`,
    tags: [{ tag_ref: { Existing: 'Task' }, field_values: { owner: `Owner ${i % 7}` } }],
  }))
  expect((await send('/api/items/bulk', { items })).status).toBe(200)
}, TIMEOUT)
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

describe('kill -9 amid a change of many items', () => {
  it('leaves all of it or nothing, and a log that reports it', { timeout: TIMEOUT }, async () => {
    const began = performance.now()
    await setOwner('Nobody')
    const whole = performance.now() - began
    let before = 'Nobody'
    for (const moment of MOMENTS) {
      const after = `Owner at ${moment}`
      const answered = setOwner(after)
      await new Promise((resume) => setTimeout(resume, whole * moment))
      child.kill('SIGKILL')
      await Promise.all([once(child, 'exit'), answered])
      await startServer()
      // Anyone who reads the log waits until what was left is entered.
      expect((await send('/api/audit-log/search', { limit: 1 })).status).toBe(200)

      const db = new SqliteConnection(file)
      const all = (text: string) => db.raw.prepare(text).pluck().all()
      const [owner, ...others] = all(`select distinct field_values ->> 'owner' from item_tag`) as string[]
      expect([[before, after].includes(owner!), others]).toEqual([true, []])
      if (await answered) expect(owner).toBe(after)
      const changes = all(`select count(*) from change where operation = 'bulkUpdateFields'`)[0] as number
      expect(all(`select count(*) from audit_event where event_type = 'tag_values_updated'`)).toEqual([
        changes * ITEMS,
      ])
      expect(all('select count(*) from audit_draft')).toEqual([0])
      expect(await verifyChain(db)).toMatchObject({ broken: null })
      expect(indexDisagreements(db)).toEqual([])
      expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok')
      db.close()
      before = owner!
    }
  })

  it(
    'goes on taking what was deleted out of the indexes, or brings it back',
    { timeout: TIMEOUT },
    async () => {
      const change = async (path: string) => {
        const response = await send(path, { filter: { has_tag: 'Task' } })
        expect(response.status).toBe(200)
        expect(await response.json()).toMatchObject({ affected_count: ITEMS })
      }
      const kill = async () => {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      const found = async () => {
        const response = await send('/api/items/search', {
          filter: { has_tag: 'Task' },
          limit: 0,
          count: true,
        })
        return Number(response.headers.get('x-total-count'))
      }
      const leaving = () => {
        const db = new Database(file, { readonly: true })
        const count = db.prepare('select count(*) from leaving_item').pluck().get()
        db.close()
        return count as number
      }
      const expectRight = () => {
        const db = new SqliteConnection(file)
        expect(indexDisagreements(db)).toEqual([])
        expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok')
        db.close()
      }
      await change('/api/items/bulk-delete')
      await kill()
      expect(leaving()).toBe(ITEMS)
      await startServer()
      expect(await found()).toBe(0)
      await expect.poll(leaving, { timeout: 90_000, interval: 5 }).toBeLessThan(ITEMS)
      await kill()
      const left = leaving()
      await startServer()
      expect(await found()).toBe(0)
      await expect.poll(leaving, { timeout: 90_000, interval: 50 }).toBe(0)
      expectRight()
      await change('/api/items/restore')
      await kill()
      expectRight()
      await startServer()
      expect(await found()).toBe(ITEMS)
      await change('/api/items/bulk-delete')
      await change('/api/items/restore')
      await kill()
      expect([left > 0, leaving()]).toEqual([true, 0])
      expectRight()
      await startServer()
      expect(await found()).toBe(ITEMS)
    },
  )
})
