import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ImportThread } from '#src/imports/import-thread.ts'
import type { ImportFile, ImportFormat } from '#src/imports/source.ts'

let folder: string
let path: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'facet-thread-'))
  path = join(folder, 'a.csv')
  writeFileSync(path, 'Name,Age\nAda,36\nEve,40\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ID = '01JJXZ5T7GQ3M8K4B9R2C6D0FK'
const start = (
  file: ImportFile = { path, name: 'a.csv', size: 24 },
  format: ImportFormat = 'csv',
): ImportThread => new ImportThread({ file, format, time_zone: 'UTC' })

describe('the thread of an import', { timeout: 20_000 }, () => {
  it('refuses what it is asked once it is closed', async () => {
    const thread = start()
    expect((await thread.look()).rows).toBe(2)
    await thread.close()
    await expect(thread.survey([])).rejects.toThrow('The thread of the import was ended')
    await expect(thread.begin([], 0, 'all')).rejects.toThrow('The thread of the import was ended')
  })

  it('reports which file the system refuses, and why', async () => {
    const gone = join(folder, 'gone.csv')
    const thread = start({ path: gone, name: 'gone.csv', size: 1 })
    await expect(thread.look()).rejects.toMatchObject({ code: 'ENOENT', path: gone })
    await thread.close()
  })

  it('gives rows of several tables at once where nothing is written', async () => {
    const at = join(folder, 'items.jsonl')
    const tags = Object.fromEntries(
      ['A', 'B', 'C'].map((tag_name) => [tag_name, { tag_name, field_values: {} }]),
    )
    const items = [ID, ID.replace('G', 'H')].map((item_id) => ({
      item_id,
      name: 'x',
      description: null,
      tags,
    }))
    const text = items.map((each) => JSON.stringify(each)).join('\n')
    writeFileSync(at, text)
    const thread = start({ path: at, name: 'items.jsonl', size: text.length }, 'json')
    const targets = ['A', 'B', 'C'].map((table) => ({
      table,
      clear: false,
      columns: [{ column: 'name', to: 'name' as const }],
    }))
    await thread.survey(targets)
    const counts = async (of: 'all' | 'second') => {
      await thread.begin(targets, 0, of)
      return (await Array.fromAsync(thread.portions(() => 100))).map(({ count }) => count)
    }
    expect(await counts('all')).toEqual([6])
    // Those of the first tag have said all that they say.
    expect(await counts('second')).toEqual([1, 1, 1, 1])
    await thread.close()
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
