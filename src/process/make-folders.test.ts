import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeFolders, makeFoldersSync } from '#src/process/make-folders.ts'

const root = mkdtempSync(join(tmpdir(), 'facet-folders-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe.each([
  ['waiting for nothing', makeFolders],
  ['at once', async (folder: string) => makeFoldersSync(folder, 0o700)],
])('folders that are made %s', (name, make) => {
  const own = join(root, name)

  it('are all that are missing, and may be there already', async () => {
    await make(join(own, 'a/b'))
    await make(join(own, 'a/b'))
    await Promise.all(['c', 'd', 'd'].map((last) => make(join(own, 'a', last))))
    expect(['b', 'c', 'd'].map((last) => statSync(join(own, 'a', last)).isDirectory())).toEqual([
      true,
      true,
      true,
    ])
  })

  it('are refused where a file is in the way', async () => {
    writeFileSync(join(own, 'file'), '')
    await expect(make(join(own, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(join(own, 'file/a'))).rejects.toThrow(/EEXIST|ENOTDIR/)
  })

  it.runIf(existsSync('/proc/self'))('are refused where the system makes none', async () => {
    await expect(make('/proc/facet/copies')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

it('says which was the first that was not there', async () => {
  expect(await makeFolders(join(root, 'first/second'))).toBe(join(root, 'first'))
  expect(await makeFolders(join(root, 'first/second'))).toBe(undefined)
})
