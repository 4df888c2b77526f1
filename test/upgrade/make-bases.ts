import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { startPostgres } from '#test/support/postgres.ts'
import { dumpRows } from '#test/upgrade/rows.ts'
import { EPOCHS } from '#test/upgrade/epochs.ts'
import { fillBase } from '#test/upgrade/fill-base.ts'

/**
 * Makes the bases in `bases/` by the programs of then: `node scripts/with-node.js test/upgrade/make-bases.ts`. They run
 * on the packages of now. With `--back` it makes none, and shows how each refuses the base of now.
 */
const BASES = resolve('test/upgrade/bases')
const back = process.argv.includes('--back')

const folder = mkdtempSync(join(tmpdir(), 'facet-epochs-'))
const postgres = await startPostgres()
try {
  for (const { commit } of EPOCHS) {
    const program = join(folder, commit)
    execFileSync('git', ['worktree', 'add', '--detach', program, commit], { stdio: 'ignore' })
    symlinkSync(resolve('node_modules'), join(program, 'node_modules'))
    try {
      if (back) await showRefusal(program)
      else await makeBases(program, commit)
    } finally {
      execFileSync('git', ['worktree', 'remove', '--force', program])
    }
  }
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function makeBases(program: string, commit: string): Promise<void> {
  const file = join(folder, `${commit}.db`)
  const [answers, url] = [await fillBy(program, `file:${file}`), await postgres.createDatabase()]
  const db = new Database(file)
  db.pragma('journal_mode = DELETE')
  db.exec('vacuum')
  db.close()
  keep(`${commit}.sqlite`, JSON.stringify({ answers, file: readFileSync(file).toString('base64') }))
  const there = await fillBy(program, url)
  keep(`${commit}.postgres`, JSON.stringify({ answers: there, rows: await dumpRows(url) }))
}

function keep(name: string, content: string): void {
  const bytes = gzipSync(content, { level: 9 })
  writeFileSync(join(BASES, `${name}.json.gz`), bytes)
  process.stdout.write(`${name}: ${bytes.length} bytes\n`)
}

async function fillBy(program: string, database: string): Promise<object> {
  const { child, url } = await start(program, database)
  try {
    return await fillBase(url)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

async function showRefusal(program: string): Promise<void> {
  const file = join(folder, 'of-now.db')
  const now = await start(process.cwd(), `file:${file}`)
  now.child.kill('SIGTERM')
  await once(now.child, 'exit')
  const said = await start(program, `file:${file}`).catch((error: Error) => error.message)
  process.stdout.write(`${program}: ${typeof said === 'string' ? said : 'it started'}\n`)
}

async function start(program: string, database: string) {
  const env = {
    ...process.env,
    PORT: '0',
    DATABASE_URL: database,
    FILES: join(folder, 'files'),
    LOG_LEVEL: 'error',
  }
  const child = spawn(process.execPath, ['scripts/start.js'], { cwd: program, env })
  let faults = ''
  child.stderr.on('data', (data) => (faults += data))
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /at (http\S+)/.exec(line) ?? []
    if (url) return { child, url }
  }
  throw new Error(faults)
}
