import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '#test/support/service.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = (name: string) => readFileSync(join(ROOT, 'docs/how-to', name), 'utf8')
/** The blocks of a language, as they are printed. */
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map((match) => match[1]!)

describe('the commands of the how-tos', () => {
  let service: Service
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    service = await startService()
    const ann = await service.user()
    await ann.ok('POST', '/api/items', { name: 'The one item' })
    const { key } = await ann.ok('POST', '/api/keys', { name: 'how-to', scope: 'read' })
    env = {
      ...process.env,
      FACET_URL: service.url,
      FACET_KEY: key,
      HOME: service.folder,
      DATABASE_URL: service.database_url,
    }
  })
  afterAll(() => service.close())
  const sh = async (command: string) => (await run('sh', ['-euc', command], { env, cwd: ROOT })).stdout

  it('a key from curl', async () => {
    const [curl] = blocks(page('use-a-key.md'), 'sh')
    expect(JSON.parse(await sh(curl!))).toMatchObject([{ name: 'The one item' }])
  })

  const python = async (script: string) => {
    const { stdout } = await run('python3', ['-c', script], { env })
    expect(stdout).toContain('The one item')
  }
  /** Where there is no Python. */
  const requestOf = async (script: string) => {
    const path = /environ\["FACET_URL"\] \+ "([^"]+)"/.exec(script)![1]!
    const body = /json\.dumps\((\{.*\})\)\.encode/.exec(script)![1]!
    const answer = await fetch(service.url + path, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${env.FACET_KEY}`, 'content-type': 'application/json' },
    })
    expect(await answer.json()).toMatchObject([{ name: 'The one item' }])
  }
  const hasPython = spawnSync('python3', ['--version']).status === 0
  it(`a key from Python${hasPython ? '' : ', which is not here: the request that its script makes'}`, () =>
    (hasPython ? python : requestOf)(blocks(page('use-a-key.md'), 'python')[0]!))

  it('a key from cron', async () => {
    const [line] = blocks(page('use-a-key.md'), 'cron')
    await sh(line!.replace(/^(?:\S+ ){5}/, ''))
    expect(JSON.parse(readFileSync(join(service.folder, 'items.json'), 'utf8'))).toHaveLength(1)
  })

  it('a team by the command line', async () => {
    const commands = blocks(page('run-a-team.md'), 'sh').flatMap((block) => block.trim().split('\n'))
    const said: string[] = []
    // Without npm, which would take the longest.
    for (const each of commands)
      said.push(await sh(each.replace('npm run facet --', 'node scripts/facet.js')))
    expect(said.map((each) => each.trim().split('\n').at(-1))).toEqual([
      expect.stringMatching(/^bob@example.org is made, editor, password \S+$/),
      'bob@example.org is reader now',
      'bob@example.org is owner now',
      'bob@example.org is editor now',
      'bob@example.org is disabled',
      'bob@example.org can sign in again',
      'bob@example.org is disabled',
      'bob@example.org is deleted',
      expect.stringContaining('owner'),
    ])
  })
})
