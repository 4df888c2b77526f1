import type { Client } from '#test/support/client.ts'
import { eventsOf } from '#test/support/events.ts'

// eslint-disable-next-line typescript/no-explicit-any -- messages are asserted on, not typed
export type LiveMessage = any

const JSON_TYPE = { 'content-type': 'application/json' }

/** The stream of a search, or of a view by its path, message by message. */
export async function openLive(
  client: Client,
  given: object | string,
  headers: Record<string, string> = {},
  leaving = new AbortController(),
) {
  const { signal } = leaving
  const response =
    typeof given === 'string'
      ? await client.fetch(given, { headers, signal })
      : await client.fetch('/api/items/search/stream', {
          method: 'POST',
          headers: { ...JSON_TYPE, ...headers },
          body: JSON.stringify(given),
          signal,
        })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  const events = eventsOf(response)
  return {
    response,
    /** Undefined where it ended. */
    async next(): Promise<LiveMessage> {
      const { value, done } = await events.next()
      return done ? undefined : { kind: value.event, id: value.id, ...JSON.parse(value.data) }
    },
    async take(count: number): Promise<LiveMessage[]> {
      const taken: LiveMessage[] = []
      while (taken.length < count) taken.push(await this.next())
      return taken
    },
    leave: () => leaving.abort(),
  }
}

/**
 * What a stream adds up to, through whatever happens to the service: connects again with the last id, as a browser
 * does, to `client()`.
 */
export function addUp(client: () => Client, filter: object, after: string) {
  const members = new Map<string, LiveMessage>()
  let last = after
  let opened = 0
  let leaving = new AbortController()
  const over = new AbortController()
  const following = (async () => {
    while (!over.signal.aborted) {
      try {
        leaving = new AbortController()
        const stream = await openLive(client(), { filter }, { 'last-event-id': last }, leaving)
        opened++
        for (let message = await stream.next(); message; message = await stream.next()) {
          if (message.kind === 'leave') members.delete(message.item_id)
          else if (message.kind === 'reset') throw new Error('so few changes are no reason to search again')
          else members.set(message.item.item_id, message.item)
          last = message.id ?? last
        }
      } catch (error) {
        if (String(error).includes('no reason')) throw error
        await new Promise((resume) => setTimeout(resume, 20))
      }
    }
  })()
  return {
    /** As they were told last, in order of their ids. */
    items: (): LiveMessage[] => [...members.values()].sort((a, b) => (a.item_id < b.item_id ? -1 : 1)),
    opened: () => opened,
    stop() {
      over.abort()
      leaving.abort()
      return following
    },
  }
}
