import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { IMPORT_STEPS } from '#src/cli/import-items-command.ts'
import { openStore, type Store } from '#src/cli/open-store.ts'
import { loadConfig } from '#src/config/read-config.ts'
import { ImportThread } from '#src/imports/import-thread.ts'
import { referToTags } from '#src/operations/imports/import-steps.ts'
import {
  addOperatorImport,
  beginOperatorJob,
  findOperatorImport,
} from '#src/operations/imports/operator-steps.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { ImportJob, type ImportWork } from '#src/work/import-job.ts'

const ROWS = 3000
/** Milliseconds after which a check notes how far it is. */
const NOTED = 600

let folder: string
let store: Store
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-import-job-'))
  const file = join(folder, 'facet.db')
  const lock = await prepareSqliteFile(file)
  lock.release()
  store = await openStore(loadConfig({ DATABASE_URL: `file:${file}` }), IMPORT_STEPS)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** What a process does before each of its steps, which may take as long as another one needs. */
type Before = (step: string) => Promise<void> | void

async function newImport(name: string) {
  const path = join(folder, name)
  const lines = Array.from({ length: ROWS }, (_, i) => `${name} ${i},${i}`)
  writeFileSync(path, ['name,age', ...lines, ''].join('\n'))
  const file = { path, name, size: statSync(path).size }
  const task = { file, format: 'csv', is_guessed: true, time_zone: 'UTC' } as const
  const thread = new ImportThread(task)
  const { format: _, ...look } = await thread.look()
  await thread.close()
  const looked = await store.call(referToTags, { look })
  const import_id = await store.call(addOperatorImport, { file_name: name, format: 'csv', look: looked })
  const carryOut = (record: ImportWork['record'], before: Before = () => undefined) =>
    new ImportJob({
      call: async (step, input) => {
        await before(step.name)
        return store.call(step, input)
      },
      signal: new AbortController().signal,
      record,
      task,
      withFiles: (rows) => Promise.resolve(rows),
    }).carryOut()
  const find = () => store.call(findOperatorImport, { import_id })
  await carryOut(await store.call(beginOperatorJob, { import_id, mapping: {} }))
  const made = async () => {
    const text = `select count(*) as n from item where name like '${name} %'`
    const [row] = await queryDatabase({ database_url: `file:${join(folder, 'facet.db')}` }, text)
    return row!['n']
  }
  return { carryOut, find, made, run: await store.call(beginOperatorJob, { import_id }) }
}

// A process that stands still for half a minute loses its turn, and does not know of it when it goes on.
it.each([
  ['writes', 'writeImportRows', 4],
  ['begins to write', 'prepareImport', 1],
  ['checks all rows once more', 'checkImportRows', 2],
])('leaves it to the process that went on while it stood still before it %s', async (_, step, count) => {
  const { carryOut, find, made, run } = await newImport(`${step}.csv`)
  const [stands, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reached = 0
  // Something was written since the mapping was checked: so the rows are, before the first is written.
  const report = JSON.stringify({ ...JSON.parse(run.report!), newest: 'another' })
  const first = carryOut(step === 'checkImportRows' ? { ...run, report } : run, async (name) => {
    if (name !== step || ++reached !== count) return
    stands.resolve()
    await goesOn.promise
    await setTimeout(NOTED)
  })
  await stands.promise
  let written = 0
  const second = carryOut(await find(), async (name) => {
    if (name !== 'writeImportRows' || ++written !== 3) return
    goesOn.resolve()
    await first
  })
  await Promise.all([first, second])
  const { state, error, outcome } = await find()
  expect([state, error, JSON.parse(outcome!)]).toMatchObject(['done', null, { created: ROWS }])
  expect(await made()).toBe(ROWS)
})

it('goes on from the first row where checking was cut off', async () => {
  const { carryOut, find, run } = await newImport('checked.csv')
  await carryOut({ ...run, place: JSON.stringify({ ...JSON.parse(run.place), n: 2000 }) })
  const { state, outcome } = await find()
  expect([state, JSON.parse(outcome!)]).toMatchObject(['done', { created: ROWS }])
})
