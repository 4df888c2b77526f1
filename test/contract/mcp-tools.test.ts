import type { Client as McpClient } from '@modelcontextprotocol/client'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { operations } from '#src/operations/index.ts'
import type { Client } from '#test/support/client.ts'
import { callTool, connectMcp, TRANSPORTS } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'
import { type Kept, TOOL_SCENARIO } from '#test/support/tool-scenario.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true })

/** How a call arrives is nothing to the database. */
const tested = TEST_ENGINE === 'sqlite' ? TRANSPORTS : TRANSPORTS.slice(0, 1)

describe.each(tested)('the official client over %s', (transport) => {
  let service: Service
  let ann: Client
  let client: McpClient
  let schemas: Map<string, ValidateFunction>
  const kept: Kept = {}
  const wentWell = new Set<string>()
  const failed = new Set<string>()
  beforeAll(async () => {
    service = await startService()
    ann = await service.user()
    client = await connectMcp(ann, transport)
    const { tools } = await client.listTools()
    schemas = new Map(tools.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]))
  })
  afterAll(async () => {
    await client.close()
    await service.close()
  })

  it('meets the server and its version', () => {
    expect(client.getServerVersion()).toEqual({ name: 'items-mcp', version: '0.1.0' })
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
    expect(client.getInstructions()).toContain('get_items')
    if (transport === 'sse') expect(client.getNegotiatedProtocolVersion()).toBe('2024-11-05')
  })

  for (const [i, step] of TOOL_SCENARIO.entries())
    it(`${i}: ${step.tool} ${step.fails ? `fails with ${step.fails}` : 'goes well'}`, async () => {
      const args = step.args(kept)
      // The whole answer, as it is described.
      const { value, error } = await callTool(client, step.tool, { ...args, proof: true })
      expect(schemas.get(step.tool)!(args)).toBe(!step.malformed)
      if (step.fails) {
        expect(error).toMatch(/^Error: /)
        expect(error).toMatch(step.fails)
        expect(error).not.toMatch(/\/api\/|X-[A-Z]/)
        failed.add(step.tool)
        return
      }
      expect(error).toBeUndefined()
      const { output } = operations.find(({ tool }) => tool === step.tool)!
      const matches = ajv.compile(output)
      expect(matches(value) || matches.errors).toBe(true)
      step.keep?.(value as never, kept)
      wentWell.add(step.tool)
    })

  it('has seen every tool go well and fail', () => {
    const names = [...schemas.keys()].toSorted()
    expect(names.length).toBeGreaterThan(31)
    // It needs bytes, which no tool sends: file-urls.test.ts has it go well.
    expect([...wentWell, 'get_file'].toSorted()).toEqual(names)
    expect([...failed].toSorted()).toEqual(names)
  })

  it('is refused an unknown tool', async () => {
    await expect(client.callTool({ name: 'get_itm', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Did you mean 'get_item'?"),
    })
  })

  it('is answered a ping', async () => {
    expect(await client.ping()).toEqual({})
  })
})

describe('lists', () => {
  let service: Service
  let ann: Client
  let client: McpClient
  beforeAll(async () => {
    service = await startService()
    ann = await service.user()
    client = await connectMcp(ann, 'sse')
    await ann.ok('POST', '/api/items/bulk', { items: Array.from({ length: 250 }, (_, n) => `Item ${n}`) })
    for (let n = 0; n < 101; n++) await ann.ok('POST', '/api/tags', { name: `Tag ${n}`, fields: {} })
  })
  afterAll(async () => {
    await client.close()
    await service.close()
  })
  const names = (value: unknown) => (value as { name: string }[]).map(({ name }) => name)

  it('without a limit are the newest 100, and say how to go on', async () => {
    const seen: string[] = []
    let next = {}
    for (let page = 0; page < 3; page++) {
      const { value, beside } = await callTool(client, 'get_items', { ...next })
      expect(names(value)).toHaveLength(page < 2 ? 100 : 50)
      seen.push(...names(value))
      if (page < 2) expect(beside).toEqual({ next: { after: expect.any(String) } })
      else expect(beside).toBeUndefined()
      next = (beside as { next: object } | undefined)?.next ?? {}
    }
    expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => `Item ${249 - n}`))
    const tags = await callTool(client, 'get_tags')
    expect(names(tags.value)).toHaveLength(100)
    expect(names(tags.value)[0]).toBe('Tag 100')
    expect(tags.beside).toHaveProperty('next.after')
  })

  it('go by sort, count and limit where they are given', async () => {
    const { value, beside } = await callTool(client, 'get_items', {
      limit: 3,
      count: true,
      sort: [{ by: 'created_at' }],
    })
    expect(names(value)).toEqual(['Item 0', 'Item 1', 'Item 2'])
    expect(beside).toEqual({ total: 250, next: { after: expect.any(String) } })
    const sorted = await callTool(client, 'get_items', { sort: [{ by: 'created_at' }] })
    expect(names(sorted.value)[0]).toBe('Item 0')
  })

  it('have only the fields that are asked for', async () => {
    const { value } = await callTool(client, 'get_items', { limit: 1, fields: ['name', 'item_id'] })
    expect(Object.keys((value as object[])[0]!).toSorted()).toEqual(['item_id', 'name'])
    const { error } = await callTool(client, 'get_items', { fields: ['nam'] })
    expect(error).toContain("did you mean 'name'?")
    const deleted = await callTool(client, 'list_deleted_items', { fields: ['name'] })
    expect(deleted.value).toEqual({ items: [], tags: [] })
  })

  it('carry warnings beside the answer', async () => {
    const { value, beside } = await callTool(client, 'get_items', { filter: { 'Tag 1.nothing': 'x' } })
    expect(value).toEqual([])
    expect(beside).toMatchObject({ warnings: [expect.stringContaining('nothing')] })
  })
})

describe('tools (additions §12)', () => {
  let service: Service
  let ann: Client
  let client: McpClient
  beforeAll(async () => {
    service = await startService()
    ann = await service.user()
    client = await connectMcp(ann, 'streamable-http')
  })
  afterAll(async () => {
    await client.close()
    await service.close()
  })

  it('name 100 of the items that a bulk change affected, and count all', async () => {
    await ann.ok('POST', '/api/items/bulk', { items: Array.from({ length: 130 }, (_, n) => `Many ${n}`) })
    const args = {
      filter: { name: { starts_with: 'Many' } },
      tag: { tag_ref: { New: { name: 'Many', fields: {} } } },
    }
    for (const dry_run of [true, false]) {
      const { value } = await callTool(client, 'bulk_apply_tag', { ...args, dry_run })
      const { affected_count, affected_ids } = value as { affected_count: number; affected_ids: string[] }
      expect([affected_count, affected_ids.length]).toEqual([130, 100])
    }
    const all = await ann.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: 'Many' }, dry_run: true })
    expect(all.affected_ids).toHaveLength(130)
  })

  it('say which conditions of a search that found nothing find nothing by themselves', async () => {
    const fields = {
      title: 'String',
      state: { type: 'Select', variants: ['Open', 'Done'] },
      boss: 'Reference',
    }
    await ann.ok('POST', '/api/tags', { name: 'Case', fields })
    const values = { title: 'Alpha', state: { variant: 'Open' } }
    await ann.ok('POST', '/api/items', {
      name: 'One case',
      tags: [{ tag_ref: { Existing: 'Case' }, field_values: values }],
    })
    // Only what is known after 50 ms is told, which on a machine that is busy can be less.
    const hints = (filter: object, more = {}, wanted = 1) =>
      vi.waitFor(
        async () => {
          const { value, beside } = await callTool(client, 'get_items', { filter, ...more })
          expect(value).toEqual([])
          const { hints: told } = (beside ?? {}) as { hints?: string[] }
          expect(told?.length ?? 0).toBe(wanted)
          return told
        },
        { timeout: 10_000 },
      )
    const alone = 'Case.title contains "alpha": finds nothing by itself, but would if case were ignored'
    expect(await hints({ 'Case.title': { contains: 'alpha' } })).toEqual([alone])
    expect(
      await hints(
        {
          and: [
            { has_tag: 'Case' },
            { 'Case.title': { contains: 'alpha' } },
            { 'Case.state': { match: 'Done' } },
            { 'Case.title': { starts_with: 'B' } },
            { name: 'nobody' },
          ],
        },
        {},
        3,
      ),
    ).toEqual([
      alone,
      expect.stringMatching(/^Case\.state is "Done": finds nothing by itself$/),
      expect.stringMatching(/^Case\.title starts with "B": finds nothing by itself$/),
    ])
    expect(await hints({ 'Case.title': { contains: 'alpha' } }, { limit: 0, count: true })).toEqual([alone])
    // Each finds something; only together they do not.
    expect(
      await hints({ and: [{ 'Case.title': 'Alpha' }, { not: { has_tag: 'Case' } }] }, {}, 0),
    ).toBeUndefined()
    const found = await callTool(client, 'get_items', { filter: { has_tag: 'Case' }, limit: 0, count: true })
    expect(found.beside).toEqual({ total: 1 })
    const rest = await ann.post('/api/items/search', { filter: { name: 'nobody' } })
    expect([...rest.headers.keys()].filter((name) => name.includes('hint'))).toEqual([])
  })

  it('take names in tag_ids, also of what is deleted', async () => {
    for (const name of ['Kept', 'Gone']) await callTool(client, 'add_tag', { name, fields: {} })
    await callTool(client, 'delete_tag', { tag_id: 'Gone' })
    const types = async (tag_ids: string[]) => {
      const { value } = await callTool(client, 'query_audit_log', { tag_ids })
      return (value as { event_type: string }[]).map(({ event_type }) => event_type)
    }
    expect(await types(['Kept'])).toEqual(['tag_created'])
    expect(await types(['Gone'])).toEqual(['tag_deleted', 'tag_created'])
    expect(await types(['Nowhere'])).toEqual([])
    const { value } = await callTool(client, 'list_changes', { tag_ids: ['Gone'] })
    expect(value).toHaveLength(2)
    const purged = await callTool(client, 'purge_deleted_items', { tag_ids: ['Gone'] })
    expect((purged.value as { purged_tag_ids: string[] }).purged_tag_ids).toHaveLength(1)
    expect((await callTool(client, 'purge_deleted_items', { tag_ids: ['Kept'] })).error).toContain(
      "no deleted tag has the id or name 'Kept'",
    )
    expect((await callTool(client, 'restore_item', { tag_id: 'Kept' })).error).toContain(
      'The tag is not deleted',
    )
  })
})

describe('what belongs to one user', () => {
  it('is another’s neither to read, change nor delete, and the audit log says who and how', async () => {
    const service = await startService()
    const [ann, bob] = [await service.user(), await service.user()]
    const [anns, bobs] = [await connectMcp(ann, 'sse'), await connectMcp(bob, 'streamable-http')]
    const { value } = await callTool(anns, 'create_view', { name: 'Mine', filter: { search: '' } })
    const { view_id } = value as { view_id: string }
    const body = { view_id, name: 'Theirs', icon: 'x', filter: { search: '' } }
    for (const [tool, args] of [
      ['get_view', { view_id }],
      ['update_view', body],
      ['delete_view', { view_id }],
      ['add_item', { name: 'x', view_id }],
    ] as const)
      expect(await callTool(bobs, tool, args)).toEqual({
        error: `Error: View '${view_id}' not found\nlist_views lists yours`,
      })
    expect(await callTool(bobs, 'list_views')).toEqual({ value: [] })
    const made = await callTool(bobs, 'add_item', { name: 'By MCP' })
    const { item_id } = made.value as { item_id: string }
    const { user_id } = await bob.ok('GET', '/api/auth/me')
    expect(await ann.ok('POST', '/api/audit-log', { item_ids: [item_id] })).toMatchObject([
      { event_type: 'item_created', source: 'mcp', user_id },
    ])
    await anns.close()
    await bobs.close()
    await service.close()
  })
})
