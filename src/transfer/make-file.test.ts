import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeFile } from '#src/transfer/make-file.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'facet-make-file-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('has the file under its name only when it is whole', async () => {
  const file = join(folder, 'base.jsonl')
  await makeFile(file, async (unfinished) => {
    writeFileSync(unfinished, 'all of it')
    expect(existsSync(file)).toBe(false)
  })
  expect(readFileSync(file, 'utf8')).toBe('all of it')
  expect(readdirSync(folder)).toEqual(['base.jsonl'])
})

it('leaves alone what somebody else has made under the name meanwhile', async () => {
  const file = join(folder, 'base.jsonl')
  const making = makeFile(file, async (unfinished) => {
    writeFileSync(unfinished, 'ours')
    writeFileSync(file, 'theirs')
  })
  await expect(making).rejects.toThrow('exists already and is left as it is')
  expect(readFileSync(file, 'utf8')).toBe('theirs')
  expect(readdirSync(folder)).toEqual(['base.jsonl'])
})
