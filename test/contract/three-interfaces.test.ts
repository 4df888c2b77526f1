import { beforeAll, describe, expect, it } from 'vitest'
import { errorInWords } from '#src/api/error-in-words.ts'
import type { ServiceError } from '#src/domain/errors.ts'
import type { Client } from '#test/support/client.ts'
import { chat } from '#test/support/events.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { startModelProvider } from '#test/support/model-provider.ts'
import { startService } from '#test/support/service.ts'
import { type Kept, TOOL_SCENARIO, type ToolStep } from '#test/support/tool-scenario.ts'

/** What a step came to: a value, or the words of a failure. */
type Outcome = { value: unknown } | { error: string } | undefined

/** The whole scenario through one interface, on a base of its own. */
async function play(
  call: (step: ToolStep, args: Record<string, unknown>) => Promise<Outcome>,
): Promise<Outcome[]> {
  const kept: Kept = {}
  const outcomes: Outcome[] = []
  for (const step of TOOL_SCENARIO) {
    const outcome = await call(step, step.args(kept))
    if (outcome && 'value' in outcome) step.keep?.(outcome.value as never, kept)
    outcomes.push(outcome)
  }
  return outcomes
}

async function throughRest(): Promise<Outcome[]> {
  const service = await startService({ clock: clock() })
  const ann = await service.user()
  const outcomes = await play(async ({ rest }, args) => (rest ? restCall(ann, rest, args) : undefined))
  await service.close()
  return outcomes
}

async function restCall(
  ann: Client,
  [method, path]: [string, string],
  { ...args }: Record<string, unknown>,
): Promise<Outcome> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { [name]: value } = args
    delete args[name]
    return String(value)
  })
  const query = method === 'GET' ? `?${new URLSearchParams(args as Record<string, string>).toString()}` : ''
  const { status, body } = await ann.send(
    method,
    filled + query,
    method === 'GET' || !Object.keys(args).length ? undefined : args,
  )
  return status === 200 ? { value: body } : { error: errorInWords(body as ServiceError) }
}

async function throughMcp(): Promise<Outcome[]> {
  const service = await startService({ clock: clock() })
  const client = await connectMcp(await service.user(), 'sse')
  const outcomes = await play(async ({ tool }, args) => {
    const { value, error } = await callTool(client, tool, { ...args, proof: true })
    return error === undefined ? { value } : { error: error.replace(/^Error: /, '') }
  })
  await client.close()
  await service.close()
  return outcomes
}

async function throughChat(): Promise<Outcome[]> {
  const provider = await startModelProvider()
  const service = await startService({
    clock: clock(),
    env: { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: provider.url },
  })
  const ann = await service.user()
  const outcomes = await play(async ({ tool, notInChat }, args) => {
    provider.say({ calls: [{ name: tool, arguments: { ...args, proof: true } }] }, { text: ['Done.'] })
    const { result } = (await chat(ann, 'Go on')).find(({ status }) => status === 'completed')
    if (notInChat) expect(result.error).toContain('no tool')
    if (notInChat) return undefined
    return result?.error === undefined ? { value: result } : { error: result.error }
  })
  await service.close()
  await provider.close()
  return outcomes
}

/** Every request a second after the one before, so that order and not speed decides. */
function clock(): () => number {
  let now = Date.parse('2026-01-31T09:30:00.000Z')
  return () => (now += 1000)
}

/** What chance decides of an event, and what follows from it. */
const BY_CHANCE = new Set(['details_salt', 'details_hash', 'hash'])

/** Ids by the order in which they appear, moments, sources and hashes left out: what may differ between two bases. */
function comparable(outcomes: readonly Outcome[]): unknown[] {
  const ids = new Map<string, string>()
  const text = JSON.stringify(outcomes, (key, value: unknown) =>
    key === 'source' || key.endsWith('_at') || BY_CHANCE.has(key) ? undefined : (value ?? null),
  ).replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, (id) => {
    if (!ids.has(id)) ids.set(id, `<${ids.size + 1}>`)
    return ids.get(id)!
  })
  return JSON.parse(text) as unknown[]
}

describe('the same calls through', () => {
  let rest: unknown[]
  let mcp: unknown[]
  let throughTheChat: unknown[]
  beforeAll(async () => {
    const all = [await throughRest(), await throughMcp(), await throughChat()] as const
    // What one interface does not have is left out of the others, so that ids are counted alike.
    const [whole, ...others] = all
    const shared = (outcomes: Outcome[]) => outcomes.map((each, i) => (whole[i] ? each : undefined))
    rest = comparable(whole)
    ;[mcp, throughTheChat] = others.map((each) => comparable(shared(each))) as [unknown[], unknown[]]
  })

  for (const [i, { tool, rest: twin, fails, notInChat }] of TOOL_SCENARIO.entries()) {
    if (!twin) continue
    const what = `${i}: ${tool} ${fails ? `fails with ${fails}` : 'goes well'}`
    it(`REST and MCP come to the same, ${what}`, () => {
      expect(rest[i]).toEqual(fails ? { error: expect.stringMatching(fails) } : { value: expect.anything() })
      expect(mcp[i]).toEqual(rest[i])
    })
    if (!notInChat)
      it(`REST and the chat come to the same, ${what}`, () => {
        expect(throughTheChat[i]).toEqual(rest[i])
      })
  }
})
