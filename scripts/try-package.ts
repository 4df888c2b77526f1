// `npm run pack:try [FOLDER]`: every way in as a stranger goes it, in an empty folder and from the registry: the package
// with npm 10 and 11 and each Node that the registry has for this machine, a checkout, and the steps of the Dockerfile.
// Each starts with one command; printed is how long it took to the first row, and to the first call of an agent.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeFirstSteps } from './first-steps.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** Oldest and newest of each line that is to work. */
const NODES = ['20', '22', '24', '26']
const NPMS = ['10', '11']
const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
/** Milliseconds. */
const PATIENCE = 120_000

type Command = readonly [program: string, ...args: string[]]
/** A way in: what puts the program into the folder, and what starts it. */
interface Way {
  name: string
  node: string
  npm: string
  install(run: (...command: Command) => void): void
  start: Command
  /** Where it is started. */
  cwd?: string
}

const work = resolve(process.argv[2] ?? mkdtempSync(join(tmpdir(), 'facet-try-')))
const tools = join(work, 'tools')
const empty = join(work, 'empty')
mkdirSync(tools, { recursive: true })
writeFileSync(join(tools, 'package.json'), '{"private": true}')
const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
const aliases = [
  ...NPMS.map((line) => `npm${line}@npm:npm@${line}`),
  ...NODES.map((line) => `node${line}@npm:node-${PLATFORM}@${line}`),
]
execFileSync('npm', ['install', ...quiet, '--ignore-scripts', ...aliases], { cwd: tools, stdio: 'inherit' })
execFileSync(process.execPath, [join(ROOT, 'scripts/make-package.ts'), work], { stdio: 'inherit' })
const tarball = join(
  work,
  readdirSync(work).find((name) => name.endsWith('.tgz'))!,
)

const LINE = ['way', 'node', 'npm', 'installed', 'ready', 'first row', 'first call of an agent']
const WIDTHS = [11, 6, 5, 11, 8, 11]
print(LINE)
for (const node of NODES) for (const npm of NPMS) await tryWay(packageWith(node, npm))
await tryWay(checkout())
await tryWay(container())
rmSync(empty, { recursive: true, force: true })

function print(columns: readonly string[]): void {
  process.stdout.write(`${columns.map((text, i) => text.padEnd(WIDTHS[i] ?? 0)).join(' ')}\n`)
}

function packageWith(node: string, npm: string): Way {
  return {
    name: 'package',
    node,
    npm,
    install: (run) => run('npm', 'install', ...quiet, tarball),
    start: [join(empty, 'node_modules/.bin/facet'), 'start'],
  }
}

function checkout(): Way {
  return {
    name: 'checkout',
    node: '22',
    npm: '10',
    install(run) {
      copyCheckout(empty)
      run('npm', 'ci', ...quiet)
    },
    start: ['npm', 'start'],
  }
}

function copyCheckout(to: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: ROOT })
  for (const file of files.toString().split('\0').filter(Boolean))
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(to, file))
}

/** What the Dockerfile does, in folders of this machine in place of those of the image. */
function container(): Way {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  const inside = (text: string) => text.replaceAll(/(?<=^|[\s"=])\/(?=source|out|facet|data)/g, `${empty}/`)
  const steps = lines.slice(
    0,
    lines.findLastIndex((line) => line.startsWith('FROM ')),
  )
  const [, start = '[]'] = /^ENTRYPOINT (.+)$/m.exec(lines.join('\n')) ?? []
  const program = (JSON.parse(start) as string[]).map(inside)
  const data = join(empty, 'data')
  return {
    name: 'container',
    node: '26',
    npm: '11',
    install(run) {
      let at = empty
      for (const [, step, words = ''] of steps.flatMap((line) => [
        ...line.matchAll(/^(WORKDIR|COPY|RUN) (.+)$/g),
      ])) {
        if (step === 'WORKDIR') mkdirSync((at = inside(words)), { recursive: true })
        else if (step === 'COPY') copyCheckout(at)
        else run('sh', '-c', `cd ${at} && ${inside(words)}`)
      }
      mkdirSync(data, { recursive: true })
    },
    start: [program[0]!, ...program.slice(1), 'start'],
    cwd: data,
  }
}

/** An empty folder, an installation, a start, an account, an item, a key, a tool. */
async function tryWay({ name, node, npm, install, start, cwd = empty }: Way): Promise<void> {
  rmSync(empty, { recursive: true, force: true })
  mkdirSync(empty)
  const env = environment(node, npm)
  const begun = performance.now()
  install((program, ...args) =>
    execFileSync(program, args, { cwd: empty, env, stdio: ['ignore', 'ignore', 'inherit'] }),
  )
  const installed = performance.now()
  const [program, ...args] = start
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await readyAt(child)
  const ready = performance.now()
  const { row, agent } = await takeFirstSteps(url)
  child.kill('SIGTERM')
  await new Promise((ended) => child.once('close', ended))
  const s = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`
  print([name, node, npm, s(begun, installed), s(installed, ready), s(begun, row), s(begun, agent)])
}

/** Where `node` and `npm` are those. */
function environment(node: string, npm: string): NodeJS.ProcessEnv {
  const program = join(tools, `node_modules/node${node}/bin/node`)
  if (!existsSync(program)) throw new Error(`The registry has no Node ${node} for ${PLATFORM}`)
  const beside = join(tools, `bin-${node}-${npm}`)
  mkdirSync(beside, { recursive: true })
  const cli = join(tools, `node_modules/npm${npm}/bin/npm-cli.js`)
  writeFileSync(join(beside, 'npm'), `#!/bin/sh\nexec "${program}" "${cli}" "$@"\n`, { mode: 0o755 })
  const own = Object.entries(process.env).filter(([key]) => !/^(npm_(?!config_)|NODE_ENV|INIT_CWD)/.test(key))
  return {
    ...Object.fromEntries(own),
    PATH: [beside, dirname(program), process.env.PATH].join(delimiter),
    PORT: '0',
    LOG_LEVEL: 'warn',
  }
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
