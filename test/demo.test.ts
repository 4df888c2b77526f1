import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '#test/support/service.ts'

const DEMO = fileURLToPath(new URL('../scripts/demo.ts', import.meta.url))

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The installed npm packages: there on every machine. */
const runDemo = async (...more: string[]) =>
  (await promisify(execFile)(process.execPath, [DEMO, '--data', 'npm', '--url', service.url, ...more])).stdout

it('fills a running service, answers five questions, and creates nothing the second time', async () => {
  const first = await runDemo()
  expect(first).toMatch(/^\d+ packages from the npm packages installed with Facet$/m)
  expect(first).toMatch(/^\d+ items created in /m)
  expect(first.match(/\?( \(two hops\))?$/gm)).toHaveLength(5)
  const answers = [...first.matchAll(/^ {2}(\d+) in \d+ ms: \S/gm)].map(([, count]) => Number(count))
  expect(answers).toHaveLength(5)
  expect(Math.min(...answers)).toBeGreaterThan(0)

  const second = await runDemo()
  expect(second).toMatch(/^everything was there already$/m)
  const again = [...second.matchAll(/^ {2}(\d+) in \d+ ms: \S/gm)].map(([, count]) => Number(count))
  expect(again).toEqual(answers)
})

it('says where it looked when nothing answers', async () => {
  const nowhere = promisify(execFile)(process.execPath, [DEMO, '--url', 'http://127.0.0.1:1'])
  await expect(nowhere).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no answer from http://127.0.0.1:1: is Facet running there?'),
  })
})

it('makes no account with a known password on another machine', async () => {
  const elsewhere = promisify(execFile)(process.execPath, [DEMO, '--url', 'http://facet.example'])
  await expect(elsewhere).rejects.toMatchObject({
    stderr: expect.stringContaining('give --email and --password'),
  })
})
