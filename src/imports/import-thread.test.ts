import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ImportThread } from '#src/imports/import-thread.ts'

let folder: string
let path: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'facet-thread-'))
  path = join(folder, 'a.csv')
  writeFileSync(path, 'Name,Age\nAda,36\nEve,40\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = () =>
  new ImportThread({ file: { path, name: 'a.csv', size: 24 }, format: 'csv', time_zone: 'UTC' })

describe('the thread of an import', { timeout: 20_000 }, () => {
  it('refuses what it is asked once it is closed', async () => {
    const thread = start()
    expect((await thread.look()).rows).toBe(2)
    await thread.close()
    await expect(thread.survey([])).rejects.toThrow('The thread of the import was ended')
    await expect(thread.begin([], 0, 'all')).rejects.toThrow('The thread of the import was ended')
  })

  it('refuses what it is asked while it is being closed, and what it was asked before', async () => {
    const thread = start()
    const asked = thread.look()
    const closed = thread.close()
    await expect(asked).rejects.toThrow('The thread of the import was ended')
    await expect(thread.look()).rejects.toThrow('The thread of the import was ended')
    await closed
  })
})
