import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const ROWS = 2000
/** Rows that are written when the process is killed. */
const MOMENTS = [1, 900]
const TIMEOUT = 120_000

let folder: string
let child: ChildProcess
let url: string
let cookie = ''

async function startServer(): Promise<void> {
  child = spawn(process.execPath, ['scripts/start.js'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: `file:${join(folder, 'facet.db')}`,
      LOG_LEVEL: 'silent',
      TMPDIR: join(folder, 'tmp'),
    },
  })
  const lines = createInterface({ input: child.stdout! })
  const [line] = (await once(lines, 'line')) as [string]
  url = /at (\S+)$/.exec(line)![1]!
}

async function send(method: string, path: string, body?: object | string, key?: string) {
  const response = await fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(cookie && { cookie }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  expect(response.ok, path).toBe(true)
  return { headers: response.headers, body: (await response.json()) as Answer }
}

interface Answer {
  file_id: string
  import_id: string
  state: string
  done: number
  groups: object[]
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-import-crash-'))
  mkdirSync(join(folder, 'tmp'))
  await startServer()
  const account = { email: 'crash@example.org', password: 'never by halves' }
  cookie = (await send('POST', '/api/auth/register', account)).headers.get('set-cookie')!.split(';')[0]!
}, TIMEOUT)
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

it(
  'an import that kill -9 cuts off goes on where it was, makes nothing twice, and leaves none of its file behind',
  async () => {
    const rows = Array.from({ length: ROWS }, (_, i) => `Row ${i},${i},${i ? `Row ${i - 1}` : ''}`)
    const file = await send('POST', '/api/files?name=Row.csv', ['name,n,before', ...rows].join('\n'))
    const looked = await send('POST', '/api/imports', { file_id: file.body.file_id })
    const { import_id } = looked.body
    // A busy machine takes longer than an answer waits.
    const looksOrChecks = async () => {
      const { state } = (await send('GET', `/api/imports/${import_id}`)).body
      return state === 'reading' || state === 'checking'
    }
    while (await looksOrChecks()) await setTimeout(20)
    await send('PUT', `/api/imports/${import_id}`, {
      tables: [{ name: 'Row', columns: { before: { field: 'before', type: 'Reference', of: ['Row'] } } }],
    })
    while (await looksOrChecks()) await setTimeout(20)
    await send('POST', `/api/imports/${import_id}/run`, {})
    const until = async (isEnough: (found: { state: string; done: number }) => boolean) => {
      for (;;) {
        const { body } = await send('GET', `/api/imports/${import_id}`)
        if (body.state !== 'running' || isEnough(body)) return body
        await setTimeout(5)
      }
    }
    for (const moment of MOMENTS) {
      const found = await until(({ done }) => done >= moment)
      expect(found.state).toBe('running')
      child.kill('SIGKILL')
      await once(child, 'exit')
      await startServer()
    }
    const done = await until(() => false)
    expect(done).toMatchObject({ state: 'done', created: ROWS, error: null, fault_count: 0 })
    const { groups } = (
      await send('POST', '/api/items/aggregate', {
        filter: { has_tag: 'Row' },
        metrics: [{ count_distinct: 'Row.n' }, { count_distinct: 'Row.before' }],
      })
    ).body
    expect(groups).toMatchObject([{ count: ROWS, metrics: [ROWS, ROWS - 1] }])
    await vi.waitUntil(
      () => !readdirSync(join(folder, 'tmp')).some((name) => /^facet-(?:import|zip)/.test(name)),
    )
  },
  TIMEOUT,
)

it(
  'an import that kill -9 cuts off while its file is looked at is the same one under its Idempotency-Key',
  async () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => `Long ${i},${i}`)
    const { file_id } = (await send('POST', '/api/files?name=Long.csv', ['name,n', ...rows].join('\n'))).body
    const begin = () => send('POST', '/api/imports', { file_id }, 'once')
    const made = async () => {
      const all = (await send('GET', '/api/imports')).body as unknown as (Answer & { file_id: string })[]
      return all.filter((each) => each.file_id === file_id)
    }
    const unanswered = expect(begin()).rejects.toThrow()
    while (!(await made()).length) await setTimeout(5)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await unanswered
    await startServer()
    const { import_id } = (await begin()).body
    expect((await made()).map((each) => each.import_id)).toEqual([import_id])
  },
  TIMEOUT,
)
