import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FolderStore } from '#src/files/folder-store.ts'

const BLOB = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facet-folder-store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* pieces(before: Promise<unknown> = Promise.resolve()) {
  yield Buffer.from('whole ')
  await before
  yield Buffer.from('and good')
}

it('keeps what a killed process has left half written', async () => {
  const store = new FolderStore(folder)
  mkdirSync(join(folder, 'tmp'))
  writeFileSync(join(folder, 'tmp', BLOB), 'who')
  await store.put(BLOB, pieces())
  expect(await text(await store.open(BLOB))).toBe('whole and good')
})

it('keeps what two processes write at once, whole at every moment', async () => {
  const stores = [new FolderStore(folder), new FolderStore(folder)]
  const first = Promise.withResolvers<void>()
  const slow = stores[0]!.put(BLOB, pieces(first.promise))
  await stores[1]!.put(BLOB, pieces())
  expect(await text(await stores[1]!.open(BLOB))).toBe('whole and good')
  first.resolve()
  await slow
  expect(await text(await stores[0]!.open(BLOB))).toBe('whole and good')
  expect(readdirSync(join(folder, 'tmp'))).toEqual([])
})

it('says of a file in the place of its folder that it cannot be written', async () => {
  writeFileSync(join(folder, 'tmp'), '')
  await expect(new FolderStore(folder).put(BLOB, pieces())).rejects.toMatchObject({
    code: 'ServiceUnavailable',
    message: expect.stringMatching(/^No file can be kept: .* cannot be written$/),
  })
})
