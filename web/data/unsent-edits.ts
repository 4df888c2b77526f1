import { writesDone } from '#web/api/call.ts'
import { serviceIsGone } from '#web/api/service-state.ts'
import type { CellPlace } from '#web/data/pending-edits.ts'
import { beforeSignOut } from '#web/parts/unsaved.ts'
import { Slot, useSlot } from '#web/store.ts'

/** The item as it was when somebody typed: what others have changed since is not written over. */
export interface Seen {
  name: string
  updated_at: string
}

/** A value that was typed and has no answer yet. */
export interface Unsent extends CellPlace, Seen {
  value: unknown
  /** Its item was deleted meanwhile. */
  isGone?: boolean
  /** Its item is there, and has no place for it any more. */
  why?: string | undefined
}

/** What is beyond is not stored: then the page asks before it is left. */
const MOST = 1000
const MOST_CHARACTERS = 1_000_000
const PREFIX = 'facet.unsent.'

/** Each page keeps its own: tabs leave those of others alone. */
const ownKey = (account: string) => `${PREFIX}${account}.${page}`
const page = crypto.getRandomValues(new Uint32Array(2)).join('')
const keyOf = ({ item_id, tag_id, field }: CellPlace) => `${item_id} ${tag_id ?? ''} ${field}`

interface UnsentState {
  /** Whose they are; without one nothing is stored in the browser. */
  account: string | undefined
  waiting: ReadonlyMap<string, Unsent>
  /** They could not be sent as they were: the item was changed since an earlier visit, or is deleted. */
  stopped: readonly Unsent[]
  /** Whether this browser stores all of them. */
  isWhole: boolean
}

const unsent = new Slot<UnsentState>('unsent', 'account', () => ({
  account: undefined,
  waiting: new Map(),
  stopped: [],
  isWhole: true,
}))
/** Stops asking before the page is left. */
const holds = new Slot<(() => void) | null>('unsent_holds', 'page', () => null)

export const stoppedUnsent = (): readonly Unsent[] => unsent.get().stopped
export const useUnsent = (): UnsentState => useSlot(unsent, (state) => state)

/** Kept in this browser until their answer is there. */
export function keepUnsent(edits: readonly Unsent[]): void {
  const waiting = new Map(unsent.get().waiting)
  const bases = new Map([...waiting.values()].map(({ item_id, updated_at }) => [item_id, updated_at]))
  for (const edit of edits)
    waiting.set(keyOf(edit), { ...edit, updated_at: bases.get(edit.item_id) ?? edit.updated_at })
  put({ waiting })
}

/** They have their answer, but where something else was typed meanwhile. */
export function endUnsent(edits: readonly (CellPlace & { value: unknown })[]): void {
  const waiting = new Map(unsent.get().waiting)
  for (const edit of edits) if (waiting.get(keyOf(edit))?.value === edit.value) waiting.delete(keyOf(edit))
  put({ waiting })
}

/** What is to be looked at by the person, in place of what was. */
export const stopUnsent = (stopped: readonly Unsent[]): void => put({ stopped })

/** What was typed into an item that is deleted, or has no place for it any more: kept for the person, who sends or drops it. */
export function keepOfGone(edits: readonly Unsent[]): void {
  const later = new Set(edits.map(keyOf))
  const before = unsent.get().stopped.filter((edit) => !later.has(keyOf(edit)))
  stopUnsent([...before, ...edits.map((edit) => ({ ...edit, isGone: edit.why === undefined }))])
}

/** Signed out though it was asked: nobody finds them here any more. */
export const dropUnsent = (): void => put({ waiting: new Map(), stopped: [] })

function put(some: Partial<UnsentState>): void {
  const next = { ...unsent.get(), ...some }
  unsent.set({ ...next, isWhole: isKept(next) })
}

// Also where the account goes: what is in the browser is found by it again.
unsent.subscribe(() => {
  const { waiting, stopped, isWhole } = unsent.get()
  holds.get()?.()
  const isAny = waiting.size > 0 || stopped.length > 0
  holds.set(isAny ? beforeSignOut(allSent) : null)
  removeEventListener('beforeunload', hold)
  if (!isWhole && isAny) addEventListener('beforeunload', hold)
})

async function allSent(): Promise<boolean> {
  // What is under way has its answer in a moment.
  if (!serviceIsGone()) await writesDone()
  const { waiting, stopped } = unsent.get()
  return waiting.size === 0 && stopped.length === 0
}

const hold = (event: BeforeUnloadEvent) => event.preventDefault()

/** Keeps them in the browser; false where it does not take all of them. */
function isKept({ account, waiting, stopped, isWhole }: UnsentState): boolean {
  if (account === undefined) return isWhole
  const all = [...stopped, ...waiting.values()]
  const text = JSON.stringify(all.slice(0, MOST))
  try {
    if (!all.length) localStorage.removeItem(ownKey(account))
    else if (text.length <= MOST_CHARACTERS) localStorage.setItem(ownKey(account), text)
  } catch {
    // Full, or switched off.
    return false
  }
  return all.length <= MOST && text.length <= MOST_CHARACTERS
}

/** Begins to keep for this account; it gets what other pages of it could not send, once they are gone. */
export function openUnsent(user_id: string, onFound: (edits: readonly Unsent[]) => void): void {
  const own = ownKey(user_id)
  // Of this page, before its session ended and somebody left it.
  const left = readKept(own)
  put({ account: user_id })
  if (left.length) onFound(left)
  const take = (key: string) => {
    const found = unsent.get().account === user_id ? readKept(key) : []
    if (!found.length) return
    localStorage.removeItem(key)
    onFound(found)
  }
  const others = keysOf(user_id).filter((key) => key !== own)
  // Absent where the page did not come by https: there two pages may send the same value, which changes nothing.
  const { locks } = navigator as { locks?: LockManager }
  // As long as a page is there, it has its own.
  void locks?.request(own, () => new Promise(() => undefined))
  for (const key of others)
    if (locks) void locks.request(key, () => take(key))
    else take(key)
}

const keysOf = (user_id: string): string[] =>
  Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i)!).filter((key) =>
    key.startsWith(`${PREFIX}${user_id}.`),
  )

function readKept(key: string): Unsent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? (kept as Unsent[]) : []
  } catch {
    return []
  }
}
