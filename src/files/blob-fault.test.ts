import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { copyBlob, faultsInWords } from '#src/files/blob-fault.ts'
import { FolderStore } from '#src/files/folder-store.ts'
import { openFilesIn } from '#test/support/open-files.ts'

const BLOB = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
const known = { blob: BLOB, size: 5, sha256: createHash('sha256').update('whole').digest('hex') }

let folder: string
let from: FolderStore
let to: FolderStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facet-blob-fault-'))
  from = new FolderStore(join(folder, 'from'))
  to = new FolderStore(join(folder, 'to'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const keep = (bytes: string) => from.put(BLOB, Readable.from([Buffer.from(bytes)]))
const blobsIn = ({ place }: FolderStore) =>
  existsSync(place) ? readdirSync(place).filter((name) => name.length === 2) : []

it('copies what is as it was', async () => {
  await keep('whole')
  expect(await copyBlob(from, to, known)).toBe(null)
  expect(await text(await to.open(BLOB))).toBe('whole')
})

it('has nothing to copy where it is not', async () => {
  expect(await copyBlob(from, to, known)).toBe('missing')
  expect(blobsIn(to)).toEqual([])
})

it.each(['who', 'wholebad', 'elohw', ''])('keeps nothing of other bytes: %j', async (bytes) => {
  await keep(bytes)
  expect(await copyBlob(from, to, known)).toBe('damaged')
  expect(blobsIn(to)).toEqual([])
})

it.runIf(existsSync('/proc/self/fd'))('leaves nothing open where it cannot be written', async () => {
  await keep('whole')
  writeFileSync(to.place, 'no folder')
  await expect(copyBlob(from, to, known)).rejects.toThrow('cannot be written')
  await vi.waitUntil(() => !openFilesIn(folder).length)
})

it('says what is missing, and what is damaged', () => {
  const faults = { missing: [], damaged: ['a', 'b', 'c', 'd'] }
  expect(faultsInWords('there', faults)).toEqual([
    '4 of its files are damaged in there: a, b, c, …. facet files verify says which they are',
  ])
})
