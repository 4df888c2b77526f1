import { writesDone } from '#web/api/call.ts'
import { serviceIsGone } from '#web/api/service-state.ts'
import { onSessionState, sessionState } from '#web/api/session-state.ts'
import type { CellPlace } from '#web/data/pending-edits.ts'
import { beforeSignOut } from '#web/parts/unsaved.ts'

/** The item as it was when somebody typed: what others have changed since is not written over. */
export interface Seen {
  name: string
  updated_at: string
}

/** A value that was typed and has no answer yet. */
export interface Unsent extends CellPlace, Seen {
  value: unknown
}

/** What is beyond is not kept: then the page asks before it is left. */
const MOST = 1000
const MOST_CHARACTERS = 1_000_000
const PREFIX = 'facet.unsent.'

/** Each page keeps its own: tabs leave those of others alone. */
const ownKey = (account: string) => `${PREFIX}${account}.${page}`
const page = crypto.getRandomValues(new Uint32Array(2)).join('')
const keyOf = ({ item_id, tag_id, field }: CellPlace) => `${item_id} ${tag_id ?? ''} ${field}`

let account: string | undefined
let waiting = new Map<string, Unsent>()
/** Of an earlier visit: they could not be sent as they were. */
let stopped: readonly Unsent[] = []
let isWhole = true
let letGo: (() => void) | undefined
let state = stateNow()
const listeners = new Set<() => void>()

function stateNow() {
  return { waiting: waiting.size, stopped, isWhole }
}

export const unsentState = (): ReturnType<typeof stateNow> => state
export function onUnsent(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Kept in this browser until their answer is there. */
export function keepUnsent(edits: readonly Unsent[]): void {
  const bases = new Map([...waiting.values()].map(({ item_id, updated_at }) => [item_id, updated_at]))
  for (const edit of edits)
    waiting.set(keyOf(edit), { ...edit, updated_at: bases.get(edit.item_id) ?? edit.updated_at })
  changed()
}

/** They have their answer, but where something else was typed meanwhile. */
export function endUnsent(edits: readonly (CellPlace & { value: unknown })[]): void {
  for (const edit of edits) if (waiting.get(keyOf(edit))?.value === edit.value) waiting.delete(keyOf(edit))
  changed()
}

/** What is to be looked at by the person, in place of what was. */
export function stopUnsent(next: readonly Unsent[]): void {
  stopped = next
  changed()
}

/** Signed out though it was asked: nobody finds them here any more. */
export function dropUnsent(): void {
  waiting = new Map()
  stopped = []
  changed()
}

function changed(): void {
  keep()
  state = stateNow()
  letGo?.()
  const isAny = waiting.size > 0 || stopped.length > 0
  letGo = isAny ? beforeSignOut(allSent) : undefined
  removeEventListener('beforeunload', hold)
  if (!isWhole && isAny) addEventListener('beforeunload', hold)
  for (const listener of listeners) listener()
}

async function allSent(): Promise<boolean> {
  // What is under way has its answer in a moment.
  if (!serviceIsGone()) await writesDone()
  return waiting.size === 0 && stopped.length === 0
}

const hold = (event: BeforeUnloadEvent) => event.preventDefault()

function keep(): void {
  if (account === undefined) return
  const all = [...stopped, ...waiting.values()]
  const text = JSON.stringify(all.slice(0, MOST))
  isWhole = all.length <= MOST && text.length <= MOST_CHARACTERS
  try {
    if (!all.length) localStorage.removeItem(ownKey(account))
    else if (text.length <= MOST_CHARACTERS) localStorage.setItem(ownKey(account), text)
  } catch {
    // Full, or switched off.
    isWhole = false
  }
}

/** Begins to keep for this account; told what other pages of it could not send, once they are gone. */
export function openUnsent(user_id: string, onFound: (edits: readonly Unsent[]) => void): void {
  account = user_id
  const own = ownKey(user_id)
  const take = (key: string) => {
    const found = account === user_id ? readKept(key) : []
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
  changed()
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

// The next who signs in is somebody else; what is kept is found by its account again.
onSessionState(() => {
  if (sessionState() !== 'signed_out') return
  account = undefined
  waiting = new Map()
  stopped = []
  changed()
})
