import type { Client as McpClient } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AGENT_TASKS, type AgentWorld, createAgentWorld, type Told } from '#test/support/agent-tasks.ts'
import { carryOutTask } from '#test/support/carry-out-task.ts'
import type { Client } from '#test/support/client.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'
import { TokenClient } from '#test/support/token-client.ts'

/** The same world, once for somebody who changes and once for somebody who proposes. */
interface Side {
  service: Service
  owner: Client
  world: AgentWorld
  client: McpClient
}
let changes: Side
let proposes: Side

beforeAll(async () => {
  const side = async () => {
    const service = await startService()
    const owner = await service.user()
    return { service, owner, world: await createAgentWorld(owner) }
  }
  const first = await side()
  changes = { ...first, client: await connectMcp(first.owner, 'streamable-http') }
  const second = await side()
  const { key } = await second.owner.ok('POST', '/api/keys', { name: 'agent', scope: 'propose' })
  proposes = {
    ...second,
    client: await connectMcp(new TokenClient(second.service.url, key), 'streamable-http'),
  }
})
afterAll(async () => {
  for (const { client, service } of [changes, proposes]) {
    await client.close()
    await service.close()
  }
})

interface Listed {
  item_id: string
  name: string
  tags: Record<string, { tag_name: string; field_values: Record<string, unknown> }>
}

/** What lives and what is deleted, by names in place of ids. */
async function state({ owner }: Side): Promise<object> {
  const items: Listed[] = await owner.ok('GET', '/api/items?limit=1000')
  const names = new Map(items.map(({ item_id, name }) => [item_id, name]))
  const plain = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(plain) : (names.get(value as string) ?? value)
  const living = items.map(({ name, tags }) => [
    name,
    Object.values(tags).map(({ tag_name, field_values }) => [
      tag_name,
      Object.fromEntries(Object.entries(field_values).map(([field, value]) => [field, plain(value)])),
    ]),
  ])
  const deleted = (await owner.ok('GET', '/api/items/deleted?limit=1000')).map(({ name }: Listed) => name)
  const inOrder = (list: unknown[]) => list.map((each) => JSON.stringify(each)).toSorted()
  return { living: inOrder(living), deleted: inOrder(deleted) }
}

/** What they undo has another name where it was proposed; undoing is for people. */
const UNDOES = new Set(['Take the merge back.', 'Undo what was closed.'])

/** Each call by the agent; what it proposes is accepted before it goes on. How many it proposed. */
async function carryOutProposing({ calls }: (typeof AGENT_TASKS)[number]): Promise<number> {
  const { client, owner, world } = proposes
  const told: Told[] = []
  let proposed = 0
  for (const call of calls) {
    const [tool, args] = call(world, told)
    const { value, beside, error } = await callTool(client, tool, args as Record<string, unknown>)
    expect(error).toBeUndefined()
    told.push({ value, beside } as Told)
    const { proposal_id } = (value ?? {}) as { proposal_id?: string }
    if (proposal_id === undefined) continue
    proposed++
    await owner.ok('POST', `/api/proposals/${proposal_id}/accept`, {})
  }
  return proposed
}

it('an agent with a key that proposes alone ends with the same base, once it is accepted', async () => {
  let proposed = 0
  for (const task of AGENT_TASKS) {
    const { told } = await carryOutTask(task, changes.world, changes.client)
    if (UNDOES.has(task.asks)) {
      const [{ change_id }] = await proposes.owner.ok('POST', '/api/changes/search', { limit: 1 })
      const change_ids = [change_id]
      expect((await callTool(proposes.client, 'undo_changes', { change_ids })).error).toContain(
        'may only propose',
      )
      await proposes.owner.ok('POST', '/api/changes/undo', { change_ids })
    } else {
      const count = await carryOutProposing(task)
      const changed = told.filter(({ beside }) => beside?.change_id !== undefined).length
      expect([task.asks, count]).toEqual([task.asks, changed])
      proposed += count
    }
    expect([task.asks, await state(proposes)]).toEqual([task.asks, await state(changes)])
  }
  expect(proposed).toBeGreaterThan(5)
})
