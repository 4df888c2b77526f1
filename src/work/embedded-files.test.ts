import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ImportRow } from '#src/imports/rows/targets.ts'
import { EmbeddedFiles } from '#src/work/embedded-files.ts'
import { zipOf } from '#test/support/zip-of.ts'
import { openFilesIn } from '#test/support/open-files.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'facet-embedded-'))
  vi.stubEnv('TMPDIR', folder)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

it('an archive whose file could not be stored is closed, and what was unpacked of it removed', async () => {
  const page = 'A 0123456789abcdef0123456789abcdef.md'
  const inner = await zipOf({ [page]: '# A', 'x.bin': randomBytes(300_000) })
  const bytes = await zipOf({ 'Export-1.zip': inner })
  for (const n of [1, 2, 3]) {
    const path = join(folder, `${n}.zip`)
    writeFileSync(path, bytes)
    const task = { file: { path, name: 'n.zip', size: bytes.length }, format: 'notion' as const }
    const { withFiles } = new EmbeddedFiles({ ...task, time_zone: 'UTC' }, async () => {
      throw new Error('the store is away')
    })
    const row = { n, values: {}, files: { f: [{ path: 'x.bin', name: 'x.bin' }] } }
    await expect(withFiles([row as unknown as ImportRow])).rejects.toThrow('the store is away')
    rmSync(path)
  }
  await vi.waitUntil(() => !readdirSync(folder).length, { timeout: 15_000 })
  if (existsSync('/proc/self/fd')) expect(openFilesIn(folder)).toEqual([])
}, 30_000)
