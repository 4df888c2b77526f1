import type { Client as McpClient } from '@modelcontextprotocol/client'
import type { AgentTask, AgentWorld, Told } from '#test/support/agent-tasks.ts'
import { callTool } from '#test/support/mcp.ts'

const BYTES_OF_A_TOKEN = 4

const tokens = (...texts: unknown[]) =>
  Buffer.byteLength(texts.map((each) => JSON.stringify(each)).join('')) / BYTES_OF_A_TOKEN

/** What was told at each call, and what asking and telling cost. */
export interface CarriedOut {
  told: Told[]
  calls: number
  tokens: number
}

/** Makes the calls of a task, none of which may be refused. */
export async function carryOutTask(
  { asks, calls }: AgentTask,
  world: AgentWorld,
  client: McpClient,
): Promise<CarriedOut> {
  const told: Told[] = []
  let cost = 0
  for (const call of calls) {
    const [tool, args] = call(world, told)
    const { value, beside, error } = await callTool(client, tool, args as Record<string, unknown>)
    if (error !== undefined) throw new Error(`${asks}: ${tool} was refused: ${error}`)
    told.push({ value, beside } as Told)
    cost += tokens(tool, args, value, beside ?? '')
  }
  return { told, calls: calls.length, tokens: cost }
}
