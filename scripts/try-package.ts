// `npm run pack:try [FOLDER]`: installs the package as a stranger would, in an empty folder, from the registry, with npm
// 10 and 11 and each Node that the registry has for this machine, starts it with one command, and prints how long that took.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** Oldest and newest of each line that is to work. */
const NODES = ['20', '22', '24', '26']
const NPMS = ['10', '11']
const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
/** Milliseconds. */
const PATIENCE = 120_000

const work = resolve(process.argv[2] ?? mkdtempSync(join(tmpdir(), 'facet-try-')))
const tools = join(work, 'tools')
mkdirSync(tools, { recursive: true })
writeFileSync(join(tools, 'package.json'), '{"private": true}')
const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
const aliases = [
  ...NPMS.map((line) => `npm${line}@npm:npm@${line}`),
  ...NODES.map((line) => `node${line}@npm:node-${PLATFORM}@${line}`),
]
execFileSync('npm', ['install', ...quiet, ...aliases], { cwd: tools, stdio: 'inherit' })
execFileSync(process.execPath, [join(ROOT, 'scripts/make-package.ts'), work], { stdio: 'inherit' })
const tarball = join(
  work,
  readdirSync(work).find((name) => name.endsWith('.tgz'))!,
)

print('node  npm  installed  ready  first row')
for (const node of NODES) for (const npm of NPMS) await tryWith(node, npm)
rmSync(join(work, 'empty'), { recursive: true, force: true })

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** An empty folder, an installation, a start, an account, an item. */
async function tryWith(node: string, npm: string): Promise<void> {
  const folder = join(work, 'empty')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const program = join(tools, `node_modules/node${node}/bin/node`)
  if (!existsSync(program)) throw new Error(`The registry has no Node ${node} for ${PLATFORM}`)
  const env = {
    ...process.env,
    PATH: `${join(program, '..')}${delimiter}${process.env.PATH}`,
    PORT: '0',
    LOG_LEVEL: 'warn',
  }
  const begun = performance.now()
  const cli = join(tools, `node_modules/npm${npm}/bin/npm-cli.js`)
  execFileSync(program, [cli, 'install', ...quiet.slice(0, 3), tarball], {
    cwd: folder,
    env,
    stdio: 'inherit',
  })
  const installed = performance.now()
  const bin = join(folder, 'node_modules/.bin/facet')
  const child = spawn(bin, ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await readyAt(child)
  const ready = performance.now()
  await firstRow(url)
  const row = performance.now()
  child.kill('SIGTERM')
  await new Promise((ended) => child.once('close', ended))
  const s = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`
  print(
    `${node.padEnd(5)} ${npm.padEnd(4)} ${s(begun, installed).padEnd(10)} ${s(installed, ready).padEnd(6)} ${s(begun, row)}`,
  )
}

function readyAt(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let said = ''
    const timer = setTimeout(() => failed(new Error(`not ready:\n${said}`)), PATIENCE)
    child.stdout!.on('data', (data) => {
      said += data
      const [, url] = /ready at (\S+)/.exec(said) ?? []
      if (!url) return
      clearTimeout(timer)
      found(url)
    })
    child.once('close', (code) => failed(new Error(`ended with ${code}:\n${said}`)))
  })
}

async function firstRow(url: string): Promise<void> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const account = await post('/api/auth/register', { email: 'ada@example.org', password: 'correct horse' })
  const cookie = account.headers.getSetCookie()[0]?.split(';', 1)[0]
  const { status } = await post('/api/items', { name: 'First' }, cookie)
  if (status !== 200) throw new Error(`the first item was answered ${status}`)
}
