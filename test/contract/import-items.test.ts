import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { facet, runFacet } from '#test/support/facet-command.ts'
import { imported } from '#test/support/imports.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

const count = async () =>
  (await client.ok('POST', '/api/items/search', { filter: { has_tag: 'Person' } })).length

it('facet import-items makes items of a file while the service runs, and finds them by a key', async () => {
  const path = join(service.folder, 'people.csv')
  writeFileSync(path, 'Name,Email,Born\nAda,a@x.org,1815-12-10\nBob,b@x.org,1990-01-02\n')
  const words = ['import-items', path, '--tag', 'Person', '--key', 'Email']
  const said = (key: string) => facet(service.database_url, 'import-items', path, '--key', key)
  expect((await said('Emial')).err).toBe("--key: no table has a column 'Emial'; did you mean 'Email'?\n")
  expect((await said('id')).err).toBe(
    "--key: no table has a column 'id'; expected one of: Name, Email, Born\n",
  )
  const dry = await facet(service.database_url, ...words, '--dry-run')
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('2 items would be made') })
  expect((await client.post('/api/items/search', { filter: { has_tag: 'Person' } })).body).toMatchObject({
    error: 'BadRequest',
  })

  expect(await facet(service.database_url, ...words)).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 items were made'),
  })
  expect(await count()).toBe(2)
  const again = await facet(service.database_url, ...words, '--json')
  expect(JSON.parse(again.out)).toMatchObject({ created: 0, unchanged: 2 })

  writeFileSync(path, 'Name,Email,Born\nCleo,c@x.org,soon\nDan,d@x.org,2001-01-01\n')
  const faulty = await facet(service.database_url, ...words)
  expect(faulty.code).not.toBe(0)
  expect(faulty.err).toContain('line 2')
  for (const [more, code] of [
    [[], 1],
    [['--dry-run'], 0],
  ] as const) {
    const told = await facet(service.database_url, ...words, '--json', ...more)
    expect(told.code).toBe(code)
    expect(JSON.parse(told.out)).toEqual({
      created: 1,
      changed: 0,
      unchanged: 0,
      skipped: 1,
      faults: [expect.objectContaining({ line: 2, column: 'Born' })],
      fault_count: 1,
      left_out: [],
    })
  }
  expect(await count()).toBe(2)
})

it('facet import-items names what it leaves out, as the import does', async () => {
  const path = join(service.folder, 'report.csv')
  writeFileSync(path, 'Report\nName,Born,City\nAda,1815,London\n')
  const words = ['import-items', path, '--tag', 'Report', '--dry-run']
  const { out } = await facet(service.database_url, ...words)
  expect(out).toMatch(/^left out: line 1 of report: a title .*\n1 item would be made/)
  const { left_out } = JSON.parse((await facet(service.database_url, ...words, '--json')).out)
  expect(left_out).toMatchObject([{ name: 'line 1 of report' }])
  const said = await facet(service.database_url, ...words, '--header-row', '3', '--json')
  expect(JSON.parse(said.out)).toMatchObject({ created: 0, left_out: [] })
  expect(await facet(service.database_url, ...words, '--header-row', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining("--header-row is the number of a line, from 1, not 'x'"),
  })
})

it('takes the files of an archive in, and the tags of an own export as they were', async () => {
  const sent = await client.exchange('POST', '/api/files?name=plan.txt', { body: Buffer.from('the plan') })
  const { file_id } = JSON.parse(sent.text)
  const base = await client.ok('POST', '/api/tags', {
    name: 'Thing',
    fields: {},
    look: { sign: 'box', hue: 9 },
  })
  const { tag_id } = await client.ok('POST', '/api/tags', {
    name: 'Plan',
    description: 'What is to be done',
    extends: [base.tag_id],
    fields: {
      site: { type: 'String', format: 'url', description: 'Where' },
      state: { type: 'Select', variants: ['open', { name: 'done', closed: true, fields: { on: 'Date' } }] },
      next: { type: 'Reference', of: ['Thing'], description: 'What comes then' },
      papers: 'File',
    },
  })
  const values = { state: { variant: 'done' }, on: '2026-01-02', papers: [{ file_id }] }
  const next = await client.ok('POST', '/api/items', {
    name: 'Dig',
    tags: [{ tag_ref: { Existing: 'Thing' } }],
  })
  await client.ok('POST', '/api/items', {
    name: 'Garden',
    description: `<p>See <a href="/api/files/${file_id}">the plan</a></p>`,
    tags: [{ tag_ref: { Existing: tag_id }, field_values: { ...values, next: next.item_id } }],
  })
  const zip = join(service.folder, 'own.zip')
  const filter = JSON.stringify({ has_tag: 'Thing' })
  const out = ['export-items', '--filter', filter, '--out', zip]
  const files = ({ folder }: Service) => ({ FILES: join(folder, 'files') })
  expect(await runFacet(service.database_url, out, files(service))).toMatchObject({ code: 0 })

  const fresh = await startService()
  try {
    const there = await fresh.user()
    const done = await runFacet(fresh.database_url, ['import-items', zip], files(fresh))
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('2 items were made') })
    const tags = await there.ok('GET', '/api/tags')
    const [plan, thing] = ['Plan', 'Thing'].map((name) =>
      tags.find((tag: { name: string }) => tag.name === name),
    )
    expect(thing).toMatchObject({ look: { sign: 'box', hue: 9 } })
    expect(plan).toMatchObject({
      description: 'What is to be done',
      extends: [thing.tag_id],
      fields: {
        site: { type: 'String', format: 'url', description: 'Where' },
        state: { type: 'Select', variants: ['open', { name: 'done', closed: true, fields: { on: 'Date' } }] },
        next: { type: 'Reference', of: [thing.tag_id], description: 'What comes then' },
        papers: 'File',
      },
    })
    const [item] = await there.ok('POST', '/api/items/search', { filter: { name: 'Garden' }, expand: true })
    const found = item.tags[plan.tag_id].field_values
    expect(found).toMatchObject({
      state: { variant: 'done' },
      on: '2026-01-02',
      papers: [{ name: 'plan.txt', size: 8 }],
    })
    expect(item.references[found.next].name).toBe('Dig')
    const [{ file_id: kept }] = found.papers
    expect((await there.get(`/api/files/${kept}`)).body).toBe('the plan')
    expect(item.description).toContain(`href="/api/files/${kept}"`)
  } finally {
    await fresh.close()
  }
})

it('fields of an own export that are called as what an export says besides are fields elsewhere, too', async () => {
  const fields = { tags: 'String', references: 'Number' }
  await client.ok('POST', '/api/tags', { name: 'Paper', fields })
  const field_values = { tags: 'maths', references: 12 }
  await client.ok('POST', '/api/items', {
    name: 'Notes',
    tags: [{ tag_ref: { Existing: 'Paper' }, field_values }],
  })
  for (const [format, name] of [
    ['jsonl', 'papers.jsonl'],
    ['markdown', 'papers.zip'],
  ] as const) {
    const exported = await client.fetch('/api/items/export', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format, filter: { has_tag: 'Paper' } }),
    })
    const fresh = await startService()
    try {
      const here = await fresh.user()
      await imported(here, { name, content: Buffer.from(await exported.arrayBuffer()) })
      const [{ tags }] = await here.ok('POST', '/api/items/search', { filter: { has_tag: 'Paper' } })
      expect(Object.values(tags)).toMatchObject([{ field_values }])
    } finally {
      await fresh.close()
    }
  }
})
