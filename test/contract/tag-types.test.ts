import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { facet } from '#test/support/facet-command.ts'
import { startService } from '#test/support/service.ts'

const FOLDER = resolve('.generated', `types-${process.pid}`)
const PROGRAM = `import type { Facet } from '../../packages/client/src/index.ts'
import { TAG_IDS, type TagName, type Tags } from './tags.ts'

const task: Tags['Task'] = { due: '2026-02-01', status: { variant: 'done' }, 'finished on': '2026-02-02', labels: ['a'] }
const people: Tags['Person "x" */'] = { boss: null, friends: ['01J'], active: true, seen: '2026-01-31T09:30:00.000Z' }
// @ts-expect-error there is no such variant
const wrong: Tags['Task'] = { status: { variant: 'closed' } }
const names: TagName[] = ['Task', 'Empty']
const proto: string = TAG_IDS['__proto__']
console.log(task, people, wrong, names, TAG_IDS.Task, proto)

export function write(base: Facet<Tags>, scans: NonNullable<Tags['Document']['scans']>) {
  console.log(scans[0]?.size)
  // @ts-expect-error a file has an id
  base.tag('Document', { scans: [{ name: 'a.txt' }] })
  return [base.tag('Document', { scans: [{ file_id: 'a' }, ...scans] }), base.tag('Document', { scans: null })]
}
`

it('facet types prints types of the tags of a base, which compile', async () => {
  const service = await startService()
  mkdirSync(FOLDER, { recursive: true })
  try {
    const client = await service.user()
    await client.ok('POST', '/api/tags', {
      name: 'Task',
      description: '<p>To do */ and\nmore</p>',
      fields: {
        due: { type: 'Date', description: 'by when */' },
        status: {
          type: 'Select',
          variants: ['open', { name: 'done', fields: { 'finished on': 'Date' } }],
        },
        labels: { type: 'MultiSelect', variants: ['a', 'b'] },
      },
    })
    await client.ok('POST', '/api/tags', {
      name: 'Person "x" */',
      fields: {
        boss: 'Reference',
        friends: 'MultiReference',
        active: 'Boolean',
        seen: 'DateTime',
        n: 'Number',
      },
    })
    await client.ok('POST', '/api/tags', { name: 'Empty', fields: {} })
    const odd = await client.ok('POST', '/api/tags', { name: '__proto__', fields: { name: 'String' } })
    await client.ok('POST', '/api/tags', { name: 'Document', fields: { scans: 'File' } })
    const { out, err, code } = await facet(service.database_url, 'types')
    expect([err, code]).toEqual(['', 0])
    expect(out).toContain('/** while status is "done" */')
    writeFileSync(join(FOLDER, 'tags.ts'), out)
    writeFileSync(join(FOLDER, 'program.ts'), PROGRAM)
    const { TAG_IDS } = (await import(join(FOLDER, 'tags.ts'))) as { TAG_IDS: Record<string, string> }
    expect(Object.getOwnPropertyDescriptor(TAG_IDS, '__proto__')?.value).toBe(odd.tag_id)
    const options =
      '--ignoreConfig --noEmit --strict --target es2024 --module esnext --allowImportingTsExtensions'
    const compile = ['node_modules/typescript/bin/tsc', ...options.split(' '), '--types', 'node']
    expect(
      execFileSync(process.execPath, [...compile, join(FOLDER, 'program.ts')], { encoding: 'utf8' }),
    ).toBe('')
    expect((await facet(service.database_url, 'types', 'Task')).code).toBe(2)
    const check = (file = join(FOLDER, 'tags.ts')) => facet(service.database_url, 'types', '--check', file)
    expect(await check()).toMatchObject({ err: '', code: 0 })
    writeFileSync(join(FOLDER, 'tags.ts'), out.replaceAll('\n', '\r\n'))
    expect((await check()).code).toBe(0)
    await client.ok('POST', '/api/tags', { name: 'Later', fields: {} })
    expect(await check()).toMatchObject({ out: '', err: expect.stringContaining('is stale'), code: 1 })
    const none = join(FOLDER, 'none.ts')
    expect(await check(none)).toEqual({
      out: '',
      err: `There is no ${none}\nnpm run -s facet -- types > ${none} writes it\n`,
      code: 1,
    })
  } finally {
    rmSync(FOLDER, { recursive: true, force: true })
    await service.close()
  }
})
