import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures, newName } from '#test/support/fixtures.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { startService, type Service } from '#test/support/service.ts'
import { groupBy, groupFilter, type GroupKey } from '#web/rules/groups.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

const { createItem, ...make } = fixtures(() => client)

const BEFORE = {
  priority: { type: 'Select', variants: ['low', { name: 'high', fields: { why: 'String' } }] },
  labels: { type: 'MultiSelect', variants: ['home', 'work'] },
  size: 'String',
  old: 'String',
}
const AFTER = {
  priority: { type: 'Select', variants: ['low', { name: 'urgent', fields: { why: 'String' } }] },
  labels: { type: 'MultiSelect', variants: ['home'] },
  size: 'Number',
  fresh: 'String',
}

interface World {
  tag: { tag_id: string; name: string }
  stale: string
  fits: string
  merged: string
  empty: string
}

/** Two items whose values have left the schema (one brought to the present version by a merge), one that fits. */
async function world(): Promise<World> {
  const tag = await make.createTag(BEFORE)
  const values = {
    priority: { variant: 'high' },
    why: 'late',
    labels: ['home', 'work'],
    size: 'XL',
    old: 'x',
  }
  const stale = await createItem('stale', tag.tag_id, values)
  const merged = await createItem('merged', tag.tag_id, values)
  const fits = await createItem('fits', tag.tag_id, { priority: { variant: 'low' }, labels: ['home'] })
  const empty = await createItem('empty', tag.tag_id)
  await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: AFTER })
  await client.ok('PUT', `/api/items/${merged}/tags/${tag.tag_id}`, { field_values: {}, merge: true })
  return { tag, stale, merged, fits, empty }
}

const found = async (filter: object) => {
  const items = await client.ok('POST', '/api/items/search', { filter, sort: [{ by: 'created_at' }] })
  return items.map(({ name }: { name: string }) => name)
}
const valuesOf = async (id: string, { tag_id }: { tag_id: string }) =>
  (await client.ok('GET', `/api/items/${id}`)).data[tag_id].field_values

describe('the operator outdated (further §18)', () => {
  let w: World
  beforeAll(async () => {
    w = await world()
  })
  for (const [field, outdated, names] of [
    ['priority', true, ['stale', 'merged']],
    ['priority', false, ['fits']],
    ['labels', true, ['stale', 'merged']],
    ['labels', false, ['fits']],
    ['size', true, ['stale', 'merged']],
    ['size', false, []],
    ['why', true, ['stale', 'merged']],
    ['old', true, ['stale', 'merged']],
    ['old', false, []],
    ['fresh', true, []],
  ] as const)
    it(`${String(outdated)} of ${field} finds ${names.join(', ') || 'nothing'}`, async () => {
      const filter = { [`${w.tag.name}.${field}`]: { outdated } }
      expect(await found(filter)).toEqual(names)
      const inverse = { and: [{ has_tag: w.tag.name }, { not: filter }] }
      const others = ['stale', 'merged', 'fits', 'empty'].filter((name) => !names.includes(name as never))
      expect(await found(inverse)).toEqual(others)
    })

  it('of a field of several variants is where none of them is chosen', async () => {
    const withNote = (name: string) => ({ name, fields: { note: 'String' } })
    const level = { type: 'Select', variants: ['x', withNote('y')] }
    const fields = { kind: { type: 'Select', variants: ['a', withNote('b'), withNote('c')] }, level }
    const { tag_id, name } = await make.createTag(fields)
    await createItem('by kind', tag_id, { kind: { variant: 'b' }, note: '1' })
    await createItem('by level', tag_id, { level: { variant: 'y' }, note: '2' })
    await createItem('by none', tag_id, { kind: { variant: 'c' }, note: '3' })
    const now = { kind: { type: 'Select', variants: ['a', withNote('b')] }, level }
    await client.ok('PUT', `/api/tags/${tag_id}`, { fields: now })
    expect(await found({ [`${name}.note`]: { outdated: true } })).toEqual(['by none'])
    expect(await found({ [`${name}.note`]: { outdated: false } })).toEqual(['by kind', 'by level'])
  })

  it('follows references, and finds among deleted items', async () => {
    const from = await make.createTag({ of: 'Reference' })
    await createItem('refers', from.tag_id, { of: w.stale })
    expect(await found({ [`${from.name}.of->${w.tag.name}.why`]: { outdated: true } })).toEqual(['refers'])
    const other = await world()
    await client.ok('DELETE', `/api/items/${other.stale}`)
    const gone = await client.ok('POST', '/api/items/deleted/search', {
      filter: { [`${other.tag.name}.priority`]: { outdated: true } },
    })
    expect(gone.map(({ name }: { name: string }) => name)).toEqual(['stale'])
  })

  it('says nothing of a field that never was, and refuses what is no boolean', async () => {
    const filter = { [`${w.tag.name}.never`]: { outdated: true } }
    const explained = await client.ok('POST', '/api/filters/explain', { filter })
    expect(explained).toMatchObject({ matched_count: 0, warnings: [expect.stringContaining("'never'")] })
    const faulty = { filter: { [`${w.tag.name}.old`]: { outdated: 1 } } }
    expect((await client.post('/api/items/search', faulty)).status).toBe(400)
  })

  it('a removed field is named in fields and in from', async () => {
    const key = `${w.tag.name}.old`
    const items = await client.ok('POST', '/api/items/search', {
      filter: { [key]: { outdated: true } },
      fields: ['name', key],
      sort: [{ by: 'created_at' }],
    })
    expect(items).toEqual([
      { name: 'stale', [key]: 'x' },
      { name: 'merged', [key]: 'x' },
    ])
    const other = await world()
    const old = `${other.tag.name}.old`
    await client.ok('POST', '/api/items/bulk-update-fields', {
      filter: { [old]: { outdated: true } },
      tag_id: other.tag.tag_id,
      field_values: { fresh: { from: old } },
      merge: true,
    })
    expect(await valuesOf(other.stale, other.tag)).toMatchObject({ fresh: 'x' })
  })
})

describe('the summary of values that have left the schema', () => {
  it('counts them by field, value and version', async () => {
    const { tag } = await world()
    const path = `/api/items/outdated?tag_id=${tag.tag_id}&summary=true`
    const summary = await client.ok('GET', path)
    const one = (field: string, value: unknown) => [
      { field, value, schema_version: 1, count: 1 },
      { field, value, schema_version: 2, count: 1 },
    ]
    expect(summary).toEqual([
      ...one('priority', { variant: 'high' }),
      ...one('why', 'late'),
      ...one('labels', ['home', 'work']),
      ...one('size', 'XL'),
      ...one('old', 'x'),
    ])
    const page = await client.get(`${path}&limit=4`)
    expect(page.body).toEqual(summary.slice(0, 4))
    const rest = await client.ok('GET', `${path}&after=${page.headers.get('x-next-cursor')}`)
    expect(rest).toEqual(summary.slice(4))
  })
})

describe('migrate with move and map', () => {
  const migrate = (tag: { tag_id: string }, body: object) =>
    client.ok('POST', `/api/tags/${tag.tag_id}/migrate`, body)

  it('moves first, then maps, and brings all to the schema', async () => {
    const w = await world()
    const body = {
      move: { old: 'fresh' },
      map: {
        priority: { high: 'urgent' },
        labels: { work: null },
        size: { XL: 42 },
        fresh: { x: 'moved' },
      },
    }
    expect(await migrate(w.tag, { ...body, dry_run: true })).toMatchObject({ migrated: 4, unfitting: [] })
    expect(await migrate(w.tag, body)).toMatchObject({ migrated: 4, unfitting_count: 0, dry_run: false })
    for (const id of [w.stale, w.merged])
      expect(await valuesOf(id, w.tag)).toEqual({
        priority: { variant: 'urgent' },
        why: 'late',
        labels: ['home'],
        size: 42,
        fresh: 'moved',
      })
    expect(await found({ [`${w.tag.name}.size`]: 42 })).toEqual(['stale', 'merged'])
    expect(await found({ [`${w.tag.name}.old`]: { outdated: true } })).toEqual([])
  })

  it('keeps what is at the target, and calls the item unfitting', async () => {
    const w = await world()
    await client.ok('PUT', `/api/items/${w.stale}/tags/${w.tag.tag_id}`, {
      field_values: { fresh: 'here' },
      merge: true,
    })
    const map = { priority: { high: { variant: 'urgent' } }, labels: { work: 'home' }, size: { XL: 42 } }
    const answer = await migrate(w.tag, { move: { old: 'fresh' }, map })
    expect(answer).toMatchObject({
      migrated: 3,
      unfitting: [{ item_id: w.stale, field: 'old', value: 'x' }],
    })
    expect(await valuesOf(w.stale, w.tag)).toMatchObject({ fresh: 'here', old: 'x', size: 'XL' })
    expect(await valuesOf(w.merged, w.tag)).toMatchObject({ fresh: 'x', labels: ['home'] })
  })

  it('names what it does not know', async () => {
    const { tag } = await world()
    const { status, body } = await client.post(`/api/tags/${tag.tag_id}/migrate`, {
      move: { nothing: 'fresh', old: 'frech' },
      map: { size: { XL: 'big' }, priority: { high: 'urgnt' }, labels: { work: 'wrk' }, none: {} },
    })
    expect(status).toBe(400)
    expect(body.details.errors.map(({ path }: { path: string }) => path)).toEqual([
      'move.nothing',
      'move.old',
      'map.size.XL',
      'map.priority.high',
      'map.labels.work',
      'map.none',
    ])
    expect(body.details.errors.slice(2, 5).map(({ message }: { message: string }) => message)).toEqual([
      "is no value of the Number 'size': expected a number",
      "is no value of the Select 'priority': unknown variant 'urgnt'; did you mean 'urgent'?",
      "is no value of the MultiSelect 'labels': unknown variant 'wrk'; expected one of: home",
    ])
  })

  it('refers to no item that is not there', async () => {
    const fields = { by: 'String', all: 'String' }
    const made = await client.ok('POST', '/api/tags', { name: newName('Note'), fields })
    const [target, deleted, purged] = [await createItem('t'), await createItem('d'), await createItem('p')]
    await client.ok('DELETE', `/api/items/${deleted}`)
    await client.ok('DELETE', `/api/items/${purged}`)
    await client.ok('POST', '/api/items/purge', { item_ids: [purged] })
    const { item_id } = await client.ok('POST', '/api/items', {
      name: 'note',
      tags: [{ tag_ref: { Existing: made.tag_id }, field_values: { by: 'Bo', all: 'Bo' } }],
    })
    await client.ok('PUT', `/api/tags/${made.tag_id}`, { fields: { by: 'Reference', all: 'MultiReference' } })
    const refused = async (map: object) => {
      const { status, body } = await client.post(`/api/tags/${made.tag_id}/migrate`, { map, dry_run: true })
      expect(status).toBe(400)
      return body.details.errors
    }
    expect(await refused({ by: { Bo: deleted }, all: { Bo: [target, purged] } })).toEqual([
      { path: 'map.by.Bo', message: `item '${deleted}' is deleted; restore it first` },
      { path: 'map.all.Bo[1]', message: `item '${purged}' not found` },
    ])
    expect(await refused({ by: { Bo: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' } })).toEqual([
      { path: 'map.by.Bo', message: "item '01JJXZ5T7GQ3M8K4B9R2C6D0EF' not found" },
    ])
    const map = { by: { Bo: target.toLowerCase() }, all: { Bo: [target], Cy: null } }
    expect(await migrate(made, { map })).toMatchObject({ migrated: 1, unfitting: [] })
    expect(await valuesOf(item_id, made)).toEqual({ by: target, all: [target] })
  })

  it('works through the tools', async () => {
    const { tag } = await world()
    const mcp = await connectMcp(client, 'streamable-http')
    const summary = await callTool(mcp, 'get_outdated_item_tags', { tag_id: tag.name, summary: true })
    expect(summary.value).toContainEqual({ field: 'old', value: 'x', schema_version: 1, count: 1 })
    const name = newName('n')
    const done = await callTool(mcp, 'migrate_tag_values', { tag_id: tag.name, map: { size: { XL: name } } })
    expect(done.error).toContain('map.size.XL')
    await mcp.close()
  })
})

describe('a group of what has no value', () => {
  it('counts what is kept from another type, and the filter that the web application has for it finds that', async () => {
    const target = await createItem('target')
    const select = { type: 'Select', variants: ['a', 'b'] }
    const values: [schema: unknown, ...values: unknown[]][] = [
      ['String', '', 'x', '2024-02-29', target],
      ['Number', -1, 0, 2.5],
      ['Boolean', true, false],
      ['Date', '2024-02-29', '1999-12-31', '0000-01-01'],
      ['DateTime', '2024-02-29T12:30:00Z'],
      ['Reference', target],
      ['MultiReference', [], [target]],
      [select, { variant: 'a' }, { variant: 'b' }],
      [{ type: 'Select', variants: ['a'] }],
      [{ type: 'MultiSelect', variants: ['a', 'b'] }, [], ['a', 'b']],
    ]
    const { tag_id } = await make.createTag({ of: 'String' })
    for (const [schema, ...each] of values) {
      await client.ok('PUT', `/api/tags/${tag_id}`, { fields: { of: schema } })
      for (const of of each) await createItem('x', tag_id, { of })
    }
    await createItem('x', tag_id, {})
    for (const [schema] of values) {
      await client.ok('PUT', `/api/tags/${tag_id}`, { fields: { of: schema } })
      const type = typeof schema === 'string' ? schema : (schema as { type: string }).type
      const [path, has_tag] = [`${tag_id}.of`, { has_tag: tag_id }]
      const { groups } = await client.ok('POST', '/api/items/aggregate', {
        filter: has_tag,
        group_by: [groupBy(path, type)],
        time_zone: 'UTC',
      })
      const keys: GroupKey[] = groups.map(({ key }: { key: GroupKey[] }) => key[0])
      const counts = await Promise.all(
        keys.map(async (key) => {
          const filter = { and: [has_tag, groupFilter(path, key, type, keys)] }
          return (await client.ok('POST', '/api/items/search', { filter })).length
        }),
      )
      expect([type, ...counts]).toEqual([type, ...groups.map(({ count }: { count: number }) => count)])
    }
  })
})
