import type { Chance } from '#test/support/chance.ts'
import type { Client } from '#test/support/client.ts'

/** Milliseconds that somebody thinks between two requests. */
const THINKS_MS = 300

/** What honest clients saw. */
export interface Seen {
  /** Milliseconds of each answer. */
  reads: number[]
  writes: number[]
  /** Answers that were none; few, as text. */
  faults: Map<string, number>
}

/** Works like somebody with the application open: reads, searches, creates, changes. Until `goesOn` says no. */
export async function workHonestly(
  client: Client,
  seen: Seen,
  chance: Chance,
  goesOn: () => boolean,
): Promise<void> {
  const own: string[] = []
  const timed = async (times: number[], method: string, path: string, body?: unknown) => {
    const began = performance.now()
    try {
      const answer = await client.ok(method, path, body)
      times.push(performance.now() - began)
      return answer
    } catch (error) {
      const { message, cause } = error as Error
      const why = cause instanceof Error ? ` (${cause.message})` : ''
      const told = `${message}${why}`.slice(0, 200).replaceAll(/\b[0-9A-Z]{26}\b/g, '…')
      seen.faults.set(told, (seen.faults.get(told) ?? 0) + 1)
      return undefined
    }
  }
  for (let turn = 0; goesOn(); turn++) {
    const id = own[turn % own.length]
    if (turn % 4 === 0 || id === undefined) {
      const made = await timed(seen.writes, 'POST', '/api/items', { name: `Honest ${turn}` })
      if (made) own.push(made.item_id)
    } else if (turn % 4 === 1)
      await timed(seen.writes, 'PUT', `/api/items/${id}`, { name: `Changed ${turn}` })
    else if (turn % 4 === 2) await timed(seen.reads, 'GET', `/api/items/${id}`)
    else
      await timed(seen.reads, 'POST', '/api/items/search', {
        filter: { search: `honest ${turn % 10}` },
        limit: 20,
      })
    await new Promise((resume) => setTimeout(resume, THINKS_MS * (0.5 + chance.next())))
  }
}
