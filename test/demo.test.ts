import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '#bench/random.ts'
import { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'

const DEMO = fileURLToPath(new URL('../examples/demo.ts', import.meta.url))

const EMAIL = 'demo@example.org'
let service: Service
let said = ''
let password = ''
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The installed npm packages: there on every machine. */
const runDemo = async (...more: string[]) =>
  (await promisify(execFile)(process.execPath, [DEMO, '--data', 'npm', '--url', service.url, ...more])).stdout

it('fills a running service, answers five questions, and creates nothing the second time', async () => {
  const first = (said = await runDemo())
  expect(first).toMatch(/^\d+ packages from the npm packages installed with Facet$/m)
  expect(first).toMatch(/^\d+ items created in /m)
  expect(first.match(/\?( \(two hops\))?$/gm)).toHaveLength(5)
  const answers = [...first.matchAll(/^ {2}(\d+) in \d+ ms: \S/gm)].map(([, count]) => Number(count))
  expect(answers).toHaveLength(5)
  expect(Math.min(...answers)).toBeGreaterThan(0)

  ;[, password = ''] = / with the password (\S+)$/m.exec(first) ?? []
  const second = await runDemo('--email', EMAIL, '--password', password)
  expect(second).toMatch(/^everything was there already$/m)
  const again = [...second.matchAll(/^ {2}(\d+) in \d+ ms: \S/gm)].map(([, count]) => Number(count))
  expect(again).toEqual(answers)
})

it('makes an account with a password that nobody knows, and says that it owns an empty base', async () => {
  expect(said).toMatch(/^made the account demo@example\.org \(owner\) with the password \S{24}$/m)
  expect(said).toMatch(/^it is the first account of this base, and owns it$/m)
  const login = (known: string) =>
    new Client(service.url).post('/api/auth/login', { email: EMAIL, password: known })
  expect((await login('facet-demo')).status).toBe(401)
  expect((await login(password)).status).toBe(200)
  await expect(runDemo()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('give --email and --password of one that is there'),
  })
})

it('says where it looked when nothing answers', async () => {
  const nowhere = promisify(execFile)(process.execPath, [DEMO, '--url', 'http://127.0.0.1:1'])
  await expect(nowhere).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no answer from http://127.0.0.1:1: is Facet running there?'),
  })
})

it('goes where the `.env` of the service says', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'facet-demo-'))
  writeFileSync(join(cwd, '.env'), 'PORT=1\n')
  const { PORT: _, PUBLIC_URL: __, ...env } = process.env
  const nowhere = promisify(execFile)(process.execPath, [DEMO], { cwd, env })
  await expect(nowhere).rejects.toMatchObject({ stderr: expect.stringContaining('http://127.0.0.1:1:') })
  rmSync(cwd, { recursive: true })
})

it('makes no account on another machine', async () => {
  const elsewhere = promisify(execFile)(process.execPath, [DEMO, '--url', 'http://facet.example'])
  await expect(elsewhere).rejects.toMatchObject({
    stderr: expect.stringContaining('give --email and --password'),
  })
})

/** A letter less, one more, another one, or two that changed places; the first one stays. */
function damaged(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 1)
  const letter = 'abcdefghijklmnopqrstuvwxyz'.charAt(random.below(26))
  const [before, behind] = [word.slice(0, at), word.slice(at + 1)]
  return random.pick([
    before + behind,
    before + letter + word.slice(at),
    before + letter + behind,
    before + behind.slice(0, 1) + word[at] + behind.slice(1),
  ])
}

it('finds words with typing errors: 95 % in the first ten', async () => {
  const client = new Client(service.url)
  await client.ok('POST', '/api/auth/login', { email: EMAIL, password })
  const items = await client.ok('POST', '/api/items/search', { limit: 1000, fields: ['item_id', 'name'] })
  const having = new Map<string, Set<string>>()
  for (const { item_id, name } of items as { item_id: string; name: string }[])
    for (const word of name.toLowerCase().match(/[\p{L}\p{N}]{6,}/gu) ?? [])
      (having.get(word) ?? having.set(word, new Set()).get(word)!).add(item_id)
  const random = new Random(1)
  // What many have is not looked for by its name.
  const rare = [...having].filter(([, ids]) => ids.size <= 3).slice(0, 300)
  expect(rare.length).toBeGreaterThan(200)
  const missed: string[] = []
  for (const [word, ids] of rare) {
    // From nine characters on two edits are mended.
    const once = damaged(word, random)
    const text = word.length >= 10 && random.chance(0.5) ? damaged(once, random) : once
    const filter = { search: { text, match: 'any' } }
    const found = await client.ok('POST', '/api/items/search', { filter, limit: 10, fields: ['item_id'] })
    if (!found.some(({ item_id }: { item_id: string }) => ids.has(item_id))) missed.push(`${word} as ${text}`)
  }
  expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(0.05 * rare.length)
})
