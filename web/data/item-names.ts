import { useCallback, useSyncExternalStore } from 'react'
import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { soon } from '#web/parts/soon.ts'
import { KeyedSlot, Slot } from '#web/store.ts'

/** `null`: there is no such item any more. */
type Name = string | null

/** Ids in one request. */
const AT_ONCE = 200
/** Milliseconds in which ids gather. */
const GATHER = 10
/** Names are dropped, oldest first, when there are more. */
const MOST = 50_000

const names = new KeyedSlot<string, Name>('item_names', 'account', MOST)
/** Names that are to be asked for. */
const wanted = new Slot<readonly string[]>('wanted_names', 'account', () => [])

/** What a referenced item is called; undefined until it is known. Those in view are asked for together. */
export function useItemName(item_id: string): Name | undefined {
  const subscribe = useCallback((listener: () => void) => listen(item_id, listener), [item_id])
  return useSyncExternalStore(subscribe, () => names.get(item_id))
}

/** The same of several, in their order; undefined also where there is no such item. */
export function useItemNames(item_ids: readonly string[]): readonly (string | undefined)[] {
  const key = item_ids.join(' ')
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = key
        .split(' ')
        .filter(Boolean)
        .map((item_id) => listen(item_id, listener))
      return () => ends.forEach((end) => end())
    },
    [key],
  )
  const written = useSyncExternalStore(subscribe, () =>
    JSON.stringify(key.split(' ').map((item_id) => names.get(item_id) ?? 0)),
  )
  return (JSON.parse(written) as (string | 0)[]).map((name) => (name === 0 ? undefined : name))
}

function listen(item_id: string, listener: () => void): () => void {
  const end = names.watch(item_id, listener)
  if (!names.has(item_id)) {
    wanted.update((all) => [...all, item_id])
    askSoon()
  }
  return end
}

/** Asks for the names that are not known yet; those that cannot be read stay unknown. */
export async function readItemNames(item_ids: Iterable<string>): Promise<void> {
  const ids = [...new Set(item_ids)].filter((id) => !names.has(id))
  for (let i = 0; i < ids.length; i += AT_ONCE) await askSome(ids.slice(i, i + AT_ONCE))
}

export const knownItemName = names.get

/** What somebody has read anyway need not be asked for. */
export const keepItemName = (item_id: string, name: Name): void => names.set(item_id, name)

const askSoon = soon(() => void askAll(), GATHER)

async function askAll(): Promise<void> {
  // Those still in sight; the rest have scrolled by.
  const ids = [...new Set(wanted.get())].filter(names.isWatched)
  wanted.empty()
  for (let i = 0; i < ids.length; i += AT_ONCE) await askSome(ids.slice(i, i + AT_ONCE))
}

async function askSome(ids: readonly string[]): Promise<void> {
  try {
    const { data } = await call(searchItems, { filter: { id: { in: [...ids] } }, limit: AT_ONCE })
    const found = new Map(data.map(({ item_id, name }) => [item_id, name]))
    for (const id of ids) keepItemName(id, found.get(id) ?? null)
  } catch {
    // They stay unknown and are asked for when they come into view again.
  }
}
