import type { Client as McpClient } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AGENT_TASKS, type AgentWorld, createAgentWorld } from '#test/support/agent-tasks.ts'
import { carryOutTask } from '#test/support/carry-out-task.ts'
import { connectMcp } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'

/** Issue of agents: what twenty tasks may cost at the median, and each. */
const MEDIAN = { calls: 2, tokens: 600 }
const MOST = { calls: 8, tokens: 6000 }
/** All of them, the list of tools among the tokens: read once. */
const TOGETHER = { calls: 90, tokens: 60_000 }

describe('twenty tasks of an assistant that has nothing but the tools', () => {
  let service: Service
  let client: McpClient
  let world: AgentWorld
  const costs: { calls: number; tokens: number }[] = []
  beforeAll(async () => {
    service = await startService()
    const user = await service.user()
    world = await createAgentWorld(user)
    client = await connectMcp(user, 'streamable-http')
  })
  afterAll(async () => {
    await client.close()
    await service.close()
  })

  it('are twenty', () => expect(AGENT_TASKS).toHaveLength(20))

  for (const task of AGENT_TASKS)
    it(task.asks, async () => {
      const { told, ...cost } = await carryOutTask(task, world, client)
      expect(task.answer(told, world)).toEqual(task.right(world))
      costs.push(cost)
      expect(cost.calls).toBeLessThanOrEqual(MOST.calls)
      expect(cost.tokens).toBeLessThanOrEqual(MOST.tokens)
    })

  it(`take at most ${MEDIAN.calls} calls and ${MEDIAN.tokens} tokens at the median`, () => {
    const median = (of: 'calls' | 'tokens') => costs.map((cost) => cost[of]).toSorted((a, b) => a - b)[10]!
    expect(costs).toHaveLength(AGENT_TASKS.length)
    expect(median('calls')).toBeLessThanOrEqual(MEDIAN.calls)
    expect(median('tokens')).toBeLessThanOrEqual(MEDIAN.tokens)
  })

  it(`take at most ${TOGETHER.calls} calls and ${TOGETHER.tokens} tokens together, with the list of tools`, async () => {
    const list = Buffer.byteLength(JSON.stringify(await client.listTools())) / 4
    const sum = (of: 'calls' | 'tokens') => costs.reduce((all, cost) => all + cost[of], 0)
    expect(costs).toHaveLength(AGENT_TASKS.length)
    expect(sum('calls')).toBeLessThanOrEqual(TOGETHER.calls)
    expect(list + sum('tokens')).toBeLessThanOrEqual(TOGETHER.tokens)
  })
})
