import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addFileUses, dropFileUses, holdFiles, releaseFiles } from '#src/storage/files/file-uses.ts'
import { addFile, findFiles } from '#src/storage/files/files.ts'
import { openBase } from '#test/support/base.ts'

const [FILE, USER, OTHER, ITEM] = ['F', 'U', 'O', 'I'].map((each) => `01JJXZ5T7GQ3M8K4B9R2C6D0E${each}`) as [
  string,
  string,
  string,
  string,
]
const MADE = '2026-01-01T00:00:00.000Z'
const LATER = new Date('2026-01-02T00:00:00.000Z')

let base: Awaited<ReturnType<typeof openBase>>
beforeEach(async () => {
  base = await openBase()
  const measured = { size: 1, type: 'text/plain', sha256: 'x', created_at: MADE }
  await addFile(base.db, { file_id: FILE, blob: 'B', user_id: USER, name: 'x', ...measured })
})
afterEach(() => base.close())

/** Whether others see it, since when nothing refers to it, whether it was removed. */
async function state() {
  const { shared, unused_since, removed_at } = (await findFiles(base.db, [FILE])).get(FILE)!
  return [shared, unused_since, removed_at]
}

describe('what keeps a file', () => {
  it('is nothing at first', async () => {
    expect(await state()).toEqual([0, MADE, null])
  })

  it('is an import, by which nobody else sees it, until it ends', async () => {
    await holdFiles(base.db, [FILE], 'import:1', { shared: false })
    expect(await state()).toEqual([0, null, null])
    await releaseFiles(base.db, 'import:1', LATER)
    expect(await state()).toEqual([0, LATER.toISOString(), null])
  })

  it('is a proposal, by which everybody sees it, beside an import', async () => {
    await holdFiles(base.db, [FILE], 'import:1', { shared: false })
    await holdFiles(base.db, [FILE], 'proposal:1', { shared: true })
    expect(await state()).toEqual([1, null, null])
    await releaseFiles(base.db, 'proposal:1', LATER)
    expect(await state()).toEqual([0, null, null])
  })

  it('is an item that has it, or had it', async () => {
    await addFileUses(base.db, USER, ITEM, new Set([FILE]))
    await holdFiles(base.db, [FILE], 'proposal:1', { shared: true })
    await releaseFiles(base.db, 'proposal:1', LATER)
    expect(await state()).toEqual([1, null, null])
    await dropFileUses(base.db, [ITEM], LATER, [FILE])
    expect(await state()).toEqual([1, null, null])
    await dropFileUses(base.db, [ITEM], LATER)
    expect(await state()).toEqual([1, null, LATER.toISOString()])
  })

  it('is no item of somebody who may not read it', async () => {
    await addFileUses(base.db, OTHER, ITEM, new Set([FILE]))
    expect(await state()).toEqual([0, MADE, null])
  })

  it('is a proposal when the last item is purged', async () => {
    await addFileUses(base.db, USER, ITEM, new Set([FILE]))
    await holdFiles(base.db, [FILE], 'proposal:1', { shared: true })
    await dropFileUses(base.db, [ITEM], LATER)
    expect(await state()).toEqual([1, null, null])
  })
})
