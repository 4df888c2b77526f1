import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepPrivate } from '#src/sql/database-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facet-file-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a database is made private, whatever of it has gone since the folder was read', () => {
  const file = join(folder, 'facet.db')
  writeFileSync(file, '')
  chmodSync(file, 0o644)
  // A name whose file is not there, as that of a log which another program removes at this moment.
  symlinkSync(join(folder, 'gone'), `${file}-wal`)
  expect(keepPrivate(file)).toEqual([])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
