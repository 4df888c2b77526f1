import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ImportRecord } from '#src/storage/imports/imports.ts'
import { ImportJob, type ImportWork } from '#src/work/import-job.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'facet-job-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('an import whose process stops while the database is asked asks its thread nothing more', async () => {
  const file = { path: join(folder, 'a.csv'), name: 'a.csv', size: 24 }
  writeFileSync(file.path, 'Name,Age\nAda,36\nEve,40\n')
  const stop = new AbortController()
  const started = once(process, 'worker') as Promise<[Worker]>
  const steps: string[] = []
  const call = (async ({ name }) => {
    steps.push(name)
    if (name !== 'findNewestEvent') return { targets: [] }
    const [thread] = await started
    const ended = once(thread, 'exit')
    stop.abort()
    await ended
    return null
  }) as ImportWork['call']
  const record = { job: 'check', place: '{}', look: '{}', mapping: '{}' } as ImportRecord
  const task = { file, format: 'csv' as const, time_zone: 'UTC' }
  const job = new ImportJob({
    call,
    signal: stop.signal,
    record,
    task,
    withFiles: async (rows) => rows,
  })
  await expect(job.carryOut()).rejects.toThrow('The thread of the import was ended')
  expect(steps).toEqual(['findNewestEvent', 'settleImport'])
}, 20_000)
