import { rmSync } from 'node:fs'
import { median, type Report } from '#bench/report.ts'
import { Server } from '#bench/servers.ts'
import { AGENT_MEDIAN } from '#bench/targets.ts'
import { AGENT_TASKS, createAgentWorld } from '#test/support/agent-tasks.ts'
import { carryOutTask } from '#test/support/carry-out-task.ts'
import { Client } from '#test/support/client.ts'
import { connectMcp } from '#test/support/mcp.ts'

const FILE = '.bench/run/agents.db'

/** The tasks of an assistant that has nothing but the tools: what they cost together, and at the median. */
export async function measureAgents(report: Report): Promise<void> {
  for (const rest of ['', '-wal', '-shm', '.lock', '.key']) rmSync(FILE + rest, { force: true })
  const server = await Server.startOn('agents', `file:${FILE}`, null)
  try {
    const user = new Client(server.url)
    await user.ok('POST', '/api/auth/register', { email: 'agent@example.org', password: 'correct horse' })
    const world = await createAgentWorld(user)
    const client = await connectMcp(user, 'streamable-http')
    const costs: { calls: number; tokens: number }[] = []
    for (const task of AGENT_TASKS) costs.push(await carryOutTask(task, world, client))
    await client.close()
    for (const cost of ['calls', 'tokens'] as const) {
      const each = costs.map((all) => all[cost])
      const sum = each.reduce((total, one) => total + one, 0)
      const about = { items: world.ids ? Object.keys(world.ids).length : 0, unit: cost, raw: each }
      report.note({
        what: `${AGENT_TASKS.length} tasks through the tools, all together`,
        value: sum,
        ...about,
      })
      report.atMost({ what: 'one of them, at the median', value: median(each), ...about }, AGENT_MEDIAN[cost])
    }
  } finally {
    await server.stop()
  }
}
