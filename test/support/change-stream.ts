import type { ToldEvent } from '#test/support/audit-chain.ts'
import type { Client } from '#test/support/client.ts'
import { eventsOf, type ServerEvent } from '#test/support/events.ts'

/** GET /api/changes/stream, event by event. */
export async function openChanges(client: Client, query = '', headers: Record<string, string> = {}) {
  const leaving = new AbortController()
  const response = await client.fetch(`/api/changes/stream${query}`, { signal: leaving.signal, headers })
  if (response.status !== 200)
    throw new Error(`the stream answered ${response.status}: ${await response.text()}`)
  const events = eventsOf(response)
  const next = async (): Promise<ToldEvent | undefined> => {
    const { value, done } = await events.next()
    return done ? undefined : readChange(value)
  }
  return {
    response,
    next,
    async take(count: number): Promise<ToldEvent[]> {
      const taken: ToldEvent[] = []
      while (taken.length < count) {
        const event = await next()
        if (!event) throw new Error(`the stream ended after ${taken.length} of ${count} events`)
        taken.push(event)
      }
      return taken
    },
    leave: () => leaving.abort(),
  }
}

/** Follows the log through whatever happens to the service: reconnects with the last id, as a browser does. */
export function followThrough(connect: (headers: Record<string, string>) => Promise<Response>) {
  const ids: string[] = []
  const stopping = new AbortController()
  const following = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const last = ids.at(-1) ?? '0'.repeat(26)
        for await (const event of eventsOf(await connect({ 'last-event-id': last }))) {
          ids.push(readChange(event).event_id)
        }
      } catch {
        await new Promise((resume) => setTimeout(resume, 20))
      }
    }
  })()
  return {
    ids,
    /** The connection must be ended by the one that made it. */
    stop: () => {
      stopping.abort()
      return following
    },
  }
}

function readChange({ event, id, data }: ServerEvent): ToldEvent {
  const told = JSON.parse(data) as ToldEvent
  if (event !== 'audit' || id !== told.event_id) throw new Error(`not an event of the log: ${event} ${id}`)
  return told
}
