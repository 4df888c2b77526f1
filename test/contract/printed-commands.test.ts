import { execFile, execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig } from '#src/config/read-config.ts'
import { makeStandIns } from '#test/printed/stand-ins.ts'
import { type PageRun, RUNS } from '#test/printed/pages.ts'
import { PAGES, type PrintedBlock, printedBlocks, requestAsCommand } from '#test/printed/printed-blocks.ts'
import { startService } from '#test/support/service.ts'

const TIMEOUT = 120_000
const run = promisify(execFile)
const ADA = { email: 'ada@example.org', password: 'correct horse' }
const folder = mkdtempSync(join(tmpdir(), 'facet-printed-'))
const bin = makeStandIns(join(folder, 'bin'))
const curl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const whyForeign = ({ foreign = {} }: PageRun, { text }: PrintedBlock) =>
  Object.keys(foreign).find((begin) => text.trimStart().startsWith(begin))

describe('what README, tutorial and how-tos print', { timeout: TIMEOUT }, () => {
  it.each(PAGES.filter((page) => printedBlocks(page).length))('is run as it is printed: %s', async (page) => {
    const which: PageRun = RUNS[page] ?? {}
    const blocks = printedBlocks(page)
    const [own, left] = [
      blocks.filter((block) => whyForeign(which, block) === undefined),
      blocks.flatMap((block) => whyForeign(which, block) ?? []),
    ]
    // Whoever takes a block away takes its reason away too.
    expect(Object.keys(which.foreign ?? {}).filter((begin) => !left.includes(begin))).toEqual([])
    for (const { text } of own.filter(({ kind }) => kind === 'settings')) expectSettings(text)
    const commands = own.filter(({ kind }) => kind !== 'settings')
    if (commands.length) await runAll(page, which, commands)
  })
})

/** What stands for something that only its reader knows. */
const SECRETS: Readonly<Record<string, string>> = {
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  IDP_B_PRIVATE_KEY: generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey,
}

function expectSettings(text: string): void {
  const settings = parseEnv(text.replaceAll(/<[a-z ]+>|…/g, 'x')) as Record<string, string>
  for (const [name, value] of Object.entries(settings)) {
    if (SECRETS[name]) settings[name] = SECRETS[name]
    if (name.endsWith('_FILE')) writeFileSync((settings[name] = join(folder, name)), value)
  }
  if (settings['DATABASE_REPLICA_URLS']) settings['DATABASE_URL'] = 'postgres://facet@db/facet'
  expect(() => loadConfig(settings)).not.toThrow()
}

async function runAll(page: string, { given, isEmpty }: PageRun, blocks: PrintedBlock[]): Promise<void> {
  const own = mkdtempSync(join(folder, 'page-'))
  const service = await startService({ env: { METRICS_PORT: '0' } })
  try {
    const ada = service.client()
    const site = service.url.replace('127.0.0.1', 'localhost')
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: own,
      DATABASE_URL: service.database_url,
      PRINTED_NODE: process.execPath,
      PRINTED_CURL: curl,
      PRINTED_URL: site,
      FACET: site,
      FACET_URL: site,
    }
    if (!isEmpty) {
      await ada.ok('POST', '/api/auth/register', ADA)
      const { key } = await ada.ok('POST', '/api/keys', { name: 'printed', scope: 'write' })
      for (const name of ['KEY', 'key', 'FACET_KEY']) env[name] = key
      await signIn(site, own, ['jar', 'cookies'])
    }
    mkdirSync(join(own, 'backups'))
    const replaced = [
      ...((await given?.({ ada, service, folder: own })) ?? []),
      ...[
        'http://localhost:3000',
        'http://127.0.0.1:3000',
        'https://facet.example.org',
        'https://facet.example',
      ].map((printed) => [printed, site] as const),
      ['localhost:3000', site] as const,
      ['http://127.0.0.1:9464', new URL(service.metrics_url!).origin] as const,
      ['/backups/', './backups/'] as const,
    ]
    const script = blocks
      .map(({ kind, text }) => (kind === 'request' ? requestAsCommand(text) : text))
      .map((text) => replaced.reduce((all, [printed, now]) => all.replaceAll(printed, now), text))
      .join('\n')
    await run('sh', ['-eu', '-c', script], { env, cwd: own }).catch((error: Error & { stdout: string }) => {
      throw new Error(`${page}: ${error.message}\n${error.stdout.slice(-2000)}`)
    })
  } finally {
    await service.close()
  }
}

/** As a browser or an earlier curl has kept the session. */
async function signIn(site: string, own: string, jars: readonly string[]): Promise<void> {
  const words = ['-sS', '-f', '-H', 'content-type:application/json', '-d', JSON.stringify(ADA)]
  for (const jar of jars) await run(curl, [...words, '-c', join(own, jar), `${site}/api/auth/login`])
}
