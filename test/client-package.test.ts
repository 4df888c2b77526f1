import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { VERSION } from '#src/domain/version.ts'
import { tagTypes } from '#src/cli/tag-types.ts'
import { examples, packClient } from '#test/support/client-package.ts'

const folder = mkdtempSync(join(tmpdir(), 'facet-client-'))
/** Below the repository, so that the compiler finds its libraries. */
const PROGRAMS = resolve('.generated', `client-${process.pid}`)
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(PROGRAMS, { recursive: true, force: true })
})
const OPTIONS =
  '--ignoreConfig --noEmit --strict --target es2022 --module nodenext --allowImportingTsExtensions --types node'

function compile(program: string): string {
  writeFileSync(join(PROGRAMS, 'program.ts'), program)
  try {
    return execFileSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', ...OPTIONS.split(' '), join(PROGRAMS, 'program.ts')],
      { encoding: 'utf8' },
    )
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}

describe('the package of the client', () => {
  it('is small, and holds plain JavaScript, its types and how to use it, and no tests', () => {
    const { files, size } = packClient(folder)
    expect(size).toBeLessThan(60_000)
    expect(files.filter((each) => !/^dist\/[\w-]+(?:\.js|\.d\.ts)$/.test(each))).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ])
    expect(files).toContain('dist/index.js')
    expect(files.filter((each) => /test/.test(each))).toEqual([])
    const { version, dependencies, scripts } = JSON.parse(
      readFileSync(join(folder, 'package/package.json'), 'utf8'),
    )
    expect([version, dependencies]).toEqual([VERSION, undefined])
    expect(Object.keys(scripts)).toEqual(['prepack'])
  })

  it('compiles with the types of a base, and refuses what does not fit them', () => {
    const installed = join(PROGRAMS, 'node_modules/facet-base-client')
    mkdirSync(installed, { recursive: true })
    execFileSync(process.execPath, ['scripts/build-client.ts', installed])
    const fields = { author: 'String', read: 'Date' }
    writeFileSync(
      join(PROGRAMS, 'tags.ts'),
      tagTypes([{ tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', name: 'Book', description: null, fields }]),
    )
    writeFileSync(join(PROGRAMS, 'package.json'), '{"type": "module"}')
    const [example = ''] = examples('ts')
    expect(compile(example)).toBe('')
    const wrong = compile(
      `${example}
base.tag('Book', { author: 1 })
base.tag('Boook', {})
base.getItem({})
base.createItem({ name: 'x', nam: 'y' })
base.pages('getItem', { item_id: 'x' })
base.listTags()
for await (const tag of base.pages('listTags')) tag.nme
for await (const { event_type } of base.changes({ event_types: ['item_created'] })) event_type.length
`,
    )
    const line = example.split('\n').length
    const faults = [...wrong.matchAll(/program\.ts\((\d+),/g)].map(([, at]) => Number(at) - line)
    expect(faults, wrong).toEqual([1, 2, 3, 4, 5, 7])
  })
})
