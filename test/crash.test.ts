import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import { followThrough } from '#test/support/change-stream.ts'
import { indexDisagreements } from '#test/support/index-disagreements.ts'
import { runs } from '#test/support/runs.ts'

const KILLS = runs(3, 6)
const WRITERS = 8
/** Writes that a process has acknowledged when it is killed: by the clock it might not have begun. */
const EARLIEST = 20
const LATEST = 120

let folder: string
let file: string
let child: ChildProcess
let url: string
let cookie: string
let tag_id: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-crash-'))
  file = join(folder, 'facet.db')
  await startServer()
  const response = await send('POST', '/api/auth/register', {
    email: 'crash@example.org',
    password: 'never lost',
  })
  cookie = response.headers.get('set-cookie')!.split(';')[0]!
  const tag = await send('POST', '/api/tags', {
    name: 'Count',
    fields: { count: 'Number', writer: 'String', next: 'Reference' },
  })
  tag_id = ((await tag.json()) as { tag_id: string }).tag_id
})
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function startServer(): Promise<void> {
  child = spawn(process.execPath, ['scripts/start.js'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PORT: '0', DATABASE_URL: `file:${file}`, LOG_LEVEL: 'silent' },
  })
  const lines = createInterface({ input: child.stdout! })
  const [line] = (await once(lines, 'line')) as [string]
  url = /at (\S+)$/.exec(line)![1]!
}

function send(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** What a client knows of an item that it wrote. */
interface Known {
  item_id: string
  /** The last count whose write was acknowledged. */
  acknowledged: number
  /** The last count that was sent; it may have been written. */
  sent: number
}

/** Writes that have been acknowledged, and the one after which the server is killed. */
let acknowledged = 0
let last = Infinity
function count(): void {
  if (++acknowledged === last) child.kill('SIGKILL')
}

/** Creates items and counts in them until the server is gone; only what was answered is known. */
async function write(writer: string, known: Known[]): Promise<void> {
  try {
    for (;;) {
      const next = known.at(-1)?.item_id ?? null
      const field_values = { count: 0, writer, next }
      const created = await send('POST', '/api/items', {
        name: `Item of ${writer}`,
        tags: [{ tag_ref: { Existing: 'Count' }, field_values }],
      })
      expect(created.status).toBe(200)
      count()
      const item: Known = { ...((await created.json()) as { item_id: string }), acknowledged: 0, sent: 0 }
      known.push(item)
      for (let counted = 1; counted <= 5; counted++) {
        item.sent = counted
        const merged = await send('PUT', `/api/items/${item.item_id}/tags/${tag_id}`, {
          field_values: { count: counted },
          merge: true,
        })
        expect(merged.status).toBe(200)
        item.acknowledged = counted
        count()
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error // fetch: the connection broke
  }
}

describe('kill -9 amid concurrent writes', () => {
  const chance = new Chance(TEST_SEED)
  const known: Known[] = []
  const leaving = new AbortController()
  let followed: ReturnType<typeof followThrough>

  it(`happens ${KILLS} times (TEST_SEED=${TEST_SEED})`, async () => {
    followed = followThrough((headers) =>
      fetch(`${url}/api/changes/stream`, { headers: { ...headers, cookie }, signal: leaving.signal }),
    )
    for (let kill = 0; kill < KILLS; kill++) {
      const lists: Known[][] = Array.from({ length: WRITERS }, () => [])
      last = acknowledged + EARLIEST + chance.below(LATEST - EARLIEST)
      const ended = once(child, 'exit')
      await Promise.all([ended, ...lists.map((list, i) => write(`writer ${kill}.${i}`, list))])
      // Every writer but one was waiting for an answer when the server was killed.
      expect(acknowledged).toBeGreaterThanOrEqual(last)
      known.push(...lists.flat())
      await startServer()
      expect((await send('GET', '/api/auth/me')).status).toBe(200)
    }
    // A writer acknowledges six writes of an item before it makes the next.
    expect(known.length).toBeGreaterThanOrEqual((KILLS * EARLIEST) / 6)
    expect(known.some(({ sent, acknowledged: heard }) => sent > heard)).toBe(true)
  })

  it('loses no acknowledged write', async () => {
    for (const { item_id, acknowledged, sent } of known) {
      const response = await send('GET', `/api/items/${item_id}`)
      expect(response.status).toBe(200)
      const { data } = (await response.json()) as {
        data: Record<string, { field_values: { count: number } }>
      }
      const { count } = Object.values(data)[0]!.field_values
      expect([acknowledged, sent]).toContain(count)
    }
  })

  it('leaves a log whose chain holds, and a follower has every event once, in order', async () => {
    const db = new SqliteConnection(file, { readonly: true })
    const log = db.raw.prepare('select event_id from audit_event order by event_id').pluck().all() as string[]
    expect(await verifyChain(db)).toMatchObject({ count: log.length, broken: null })
    db.close()
    await expect.poll(() => followed.ids.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(log.length)
    leaving.abort()
    await followed.stop()
    expect(followed.ids).toEqual(log)
  })

  it('leaves no change without its events and no event without its change', () => {
    const db = new SqliteConnection(file, { readonly: true })
    const ids = (text: string) => db.raw.prepare(text).pluck().all() as string[]
    const items = ids('select item_id from item order by 1')
    expect(ids(`select item_id from audit_event where event_type = 'item_created' order by 1`)).toEqual(items)
    expect(ids(`select item_id from audit_event where event_type = 'tag_applied' order by 1`)).toEqual(items)
    const counts = (text: string) => db.raw.prepare(text).raw().all()
    expect(
      counts(
        `select item_id, count(*) from audit_event where event_type = 'tag_values_updated' group by 1 order by 1`,
      ),
    ).toEqual(
      counts(`select item.item_id, json_extract(field_values, '$.count') from item_tag join item on item.id = item_tag.item
        where json_extract(field_values, '$.count') > 0 order by 1`),
    )
    db.close()
  })

  it('leaves a sound file whose indexes agree with the items', () => {
    const db = new SqliteConnection(file)
    expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.raw.pragma('foreign_key_check')).toEqual([])
    expect(indexDisagreements(db)).toEqual([])
    db.close()
  })
})

describe('kill -9 while a link to set a password is used', () => {
  const chance = new Chance(TEST_SEED)
  const [OLD, NEW] = ['as it was before', 'as the link set it']
  /** Milliseconds within which the password is hashed and stored. */
  const USED = 250
  const statusOf = async (path: string, body: object) =>
    (
      await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status

  it(`happens 3 times, of two uses at once: the password is set and the link ended, or neither (TEST_SEED=${TEST_SEED})`, async () => {
    const email = 'forgets@example.org'
    await statusOf('/api/auth/register', { email, password: OLD })
    const users = (await (await send('GET', '/api/users')).json()) as { email: string; user_id: string }[]
    const { user_id } = users.find((each) => each.email === email)!
    for (let kill = 0, present = OLD; kill < 3; kill++) {
      await send('POST', '/api/auth/confirm', { password: 'never lost' })
      const made = await send('POST', `/api/users/${user_id}/reset-link`)
      const token = new URL(((await made.json()) as { url: string }).url).hash.slice(1)
      const next = `${NEW} ${kill}`
      const use = () => statusOf('/api/auth/reset', { token, new_password: next }).catch(() => null)
      const used = [use(), use()]
      const ended = once(child, 'exit')
      setTimeout(() => child.kill('SIGKILL'), kill ? chance.below(USED) : 2 * USED)
      const said = await Promise.all(used)
      await ended
      await startServer()
      const signsIn = async (password: string) =>
        (await statusOf('/api/auth/login', { email, password })) === 200
      const isSet = await signsIn(next)
      expect(await signsIn(present)).toBe(!isSet)
      if (said.includes(200)) expect(isSet).toBe(true)
      expect(said.filter((status) => status === 200).length).toBeLessThan(2)
      expect(await statusOf('/api/auth/reset', { token, new_password: next })).toBe(isSet ? 403 : 200)
      present = next
    }
  })
})
