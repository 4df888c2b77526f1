import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import { Client } from '#test/support/client.ts'
import { indexDisagreements } from '#test/support/index-disagreements.ts'

const ITEMS = 1000
/** Of the time that accepting takes. */
const MOMENTS = [0.3, 0.7]
const TIMEOUT = 120_000
const ACCOUNT = { email: 'crash@example.org', password: 'never by halves' }

let folder: string
let file: string
let child: ChildProcess
let client: Client

async function startServer(path: string): Promise<void> {
  child = spawn(process.execPath, ['scripts/start.js'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PORT: '0', DATABASE_URL: `file:${file}`, LOG_LEVEL: 'silent' },
  })
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  client = new Client(/at (\S+)$/.exec(line)![1]!)
  await client.ok('POST', path, ACCOUNT)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-proposal-crash-'))
  file = join(folder, 'facet.db')
  await startServer('/api/auth/register')
  await client.ok('POST', '/api/tags', { name: 'Task', fields: { owner: 'String' } })
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    name: `Task ${i}`,
    tags: [{ tag_ref: { Existing: 'Task' }, field_values: { owner: 'Nobody' } }],
  }))
  await client.ok('POST', '/api/items/bulk', { items })
}, TIMEOUT)
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function propose(owner: string): Promise<string> {
  const input = { filter: { has_tag: 'Task' }, tag_id: 'Task', field_values: { owner }, merge: true }
  const { status, body } = await client.post('/api/proposals', {
    operations: [{ operation: 'bulkUpdateFields', input }],
  })
  expect(status).toBe(201)
  return body.proposal_id
}
/** False where the connection was lost. */
const accept = (id: string): Promise<boolean> =>
  client.ok('POST', `/api/proposals/${id}/accept`, {}).then(
    () => true,
    () => false,
  )
const owners = async (): Promise<Record<string, number>> => {
  const { groups } = await client.ok('POST', '/api/items/aggregate', { group_by: ['Task.owner'] })
  return Object.fromEntries(groups.map(({ key, count }: { key: string[]; count: number }) => [key[0], count]))
}

describe('kill -9 while a proposal is accepted', () => {
  it('leaves all of it or nothing; what is open can be accepted', { timeout: TIMEOUT }, async () => {
    const first = await propose('First')
    const began = performance.now()
    expect(await accept(first)).toBe(true)
    const whole = performance.now() - began
    let before = 'First'
    for (const moment of MOMENTS) {
      const after = `Owner at ${moment}`
      const id = await propose(after)
      const answered = accept(id)
      await new Promise((resume) => setTimeout(resume, whole * moment))
      child.kill('SIGKILL')
      await once(child, 'exit')
      await startServer('/api/auth/login')
      const { state, change_ids, conflicts } = await client.ok('GET', `/api/proposals/${id}`)
      if (await answered) expect(state).toBe('accepted')
      expect(await owners()).toEqual({ [state === 'accepted' ? after : before]: ITEMS })
      expect([change_ids.length, conflicts]).toEqual([state === 'accepted' ? 1 : 0, []])
      const again = await client.post(`/api/proposals/${id}/accept`, {})
      expect(again.status).toBe(state === 'accepted' ? 409 : 200)
      expect(await owners()).toEqual({ [after]: ITEMS })
      before = after
    }
    const db = new SqliteConnection(file)
    expect(await verifyChain(db)).toMatchObject({ broken: null })
    expect(indexDisagreements(db)).toEqual([])
    db.close()
  })
})
