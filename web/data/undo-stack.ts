import { call, writesDone } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { undoChanges } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { sessionState } from '#web/api/session-state.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
import { Slot, useSlot } from '#web/store.ts'

/** Something done that can be taken back. */
export interface Undoable {
  /** What was done, as a sentence: `Changed status of 3 items`. */
  words: string
  /** What the service has recorded of it, oldest first. */
  change_ids: readonly string[]
  /** Reads again what shows it, after it was undone or done again. */
  renew?: (() => Promise<unknown>) | undefined
  /** How many of them go into one call. */
  at_once?: number
}

export type UndoConflict = OutputOf<typeof undoChanges>['conflicts'][number]

/** An undo that cannot be whole: it waits for somebody to say whether the rest is to be undone. */
export interface StoppedUndo {
  words: string
  conflicts: readonly UndoConflict[]
  /** Null where nothing else is left to be undone. */
  undoRest: (() => Promise<void>) | null
}

/** For each tab; older ones are found in the history. */
const MOST = 100
/** Changes in one call. */
const AT_ONCE = 1000
/** Of large ones, a thousand items each: the service takes back 100,000 events at once. */
export const LARGE_AT_ONCE = 20

/** Milliseconds in which an answer comes to whoever has pressed a key as if at once. */
const UNSEEN_MS = 400

interface Stacks {
  done: readonly Undoable[]
  undone: readonly Undoable[]
}

const stacks = new Slot<Stacks>('undo_stacks', 'account', () => ({ done: [], undone: [] }))
/** One after the other, in the order of the keys. */
const queue = new Slot<Promise<void>>('undo_queue', 'account', () => Promise.resolve())
const stopped = new Slot<StoppedUndo | null>('stopped_undo', 'account', () => null)

/** Kept only when it has succeeded, and has changed anything. */
export function keepUndoable(entry: Undoable): void {
  // An answer that comes after the sign-out is nobody's any more.
  if (!entry.change_ids.length || sessionState() === 'signed_out') return
  stacks.update(({ done }) => ({ done: [...done.slice(1 - MOST), entry], undone: [] }))
}

export const undoLast = (): Promise<void> => inTurn('undo')
export const redoLast = (): Promise<void> => inTurn('redo')

function inTurn(way: Way): Promise<void> {
  // What was done last may not have its answer yet: it is what is to be undone.
  const last = queue
    .get()
    .then(writesDone)
    .then(() => step(way))
  queue.set(last)
  return last
}

export const stoppedUndo = stopped.get
export const useStoppedUndo = (): StoppedUndo | null => useSlot(stopped, (last) => last)
export const leaveStoppedUndo = (): void => stopped.empty()

type Way = 'undo' | 'redo'
const WORDS: Readonly<Record<Way, { done: string; not: string; under_way: string }>> = {
  undo: { done: 'Undone', not: 'undone', under_way: 'Taking back' },
  redo: { done: 'Done again', not: 'done again', under_way: 'Doing again' },
}

async function step(way: Way): Promise<void> {
  // Pressed before it was seen that the one before it has stopped.
  if (stopped.get()) return
  const entry = stacks.get()[way === 'undo' ? 'done' : 'undone'].at(-1)
  if (!entry) return say(`Nothing to be ${WORDS[way].not}`)
  const halt = await turn(entry, way, 'refuse')
  if (halt) {
    const { fault, left } = halt
    const { conflicts = [] } = fault.details as { conflicts?: UndoConflict[] }
    if (conflicts.length) {
      const hasRest = await changesAny(left).catch(() => true)
      // Nothing of it will ever be undone: it would stand in the way of what came before it.
      if (!hasRest) drop(left)
      stopped.set({ words: entry.words, conflicts, undoRest: hasRest ? () => rest(left, way) : null })
    } else {
      // Taken back elsewhere already, or for good: it would stand in the way of what came before it.
      if (fault.status === 409 || fault.status === 404) drop(left)
      toast({ text: `Could not be ${WORDS[way].not}: ${fault.message}`, kind: 'danger' })
    }
  }
}

/** Whether an undo that leaves what was changed since would change anything else. */
async function changesAny({ change_ids, at_once = AT_ONCE }: Undoable): Promise<boolean> {
  for (let end = change_ids.length; end > 0; end -= at_once) {
    const some = change_ids.slice(Math.max(0, end - at_once), end)
    const { data } = await call(undoChanges, { change_ids: some, dry_run: true, on_conflict: 'skip' })
    if (data.undone_events > 0) return true
  }
  return false
}

async function rest(entry: Undoable, way: Way): Promise<void> {
  stopped.empty()
  const halt = await turn(entry, way, 'skip')
  if (halt) toast({ text: `Could not be ${WORDS[way].not}: ${halt.fault.message}`, kind: 'danger' })
}

/** Where an undo of several calls has come to its end before its time. */
interface Halt {
  fault: Fault
  /** What is still to be taken back: it is in the place of the whole. */
  left: Undoable
}

/** The undo of an undo is what does it again. */
async function turn(entry: Undoable, way: Way, on_conflict: 'refuse' | 'skip'): Promise<Halt | null> {
  const { words, change_ids, renew, at_once = AT_ONCE } = entry
  const made: string[] = []
  const touched: string[] = []
  // Thousands of items take a while, and so does anything on a slow line.
  const slow = setTimeout(
    () => {
      // Whoever comes after a sign-out is not told what was done before.
      if (sessionState() !== 'signed_out') toast({ text: `${WORDS[way].under_way}: ${words} …` })
    },
    entry.at_once ? 0 : UNSEEN_MS,
  )
  let end = change_ids.length
  let fault: Fault | null = null
  while (end > 0 && !fault) {
    const some = change_ids.slice(Math.max(0, end - at_once), end)
    const answer = await call(undoChanges, { change_ids: some, on_conflict }).catch(toFault)
    if (answer instanceof Fault) fault = answer
    else {
      if (answer.data.change_id) made.push(answer.data.change_id)
      touched.push(...answer.data.affected_item_ids)
      end -= at_once
    }
  }
  clearTimeout(slow)
  // Where it stopped half way, what is left of it stays to be taken back.
  const left =
    end < change_ids.length ? { ...entry, change_ids: change_ids.slice(0, Math.max(0, end)) } : entry
  if (fault) replace(entry, left)
  else drop(entry)
  // Each of these is as large as what it has taken back.
  const inverse = { words, change_ids: made, renew, ...(entry.at_once && { at_once: 1 }) }
  const other = way === 'undo' ? 'undone' : 'done'
  if (made.length) stacks.update((all) => ({ ...all, [other]: [...all[other], inverse] }))
  itemsChanged(touched, { came: touched, isUndo: true })
  if (fault) return { fault, left }
  await renew?.()
  toast({ text: `${made.length ? WORDS[way].done : `Nothing was left to be ${WORDS[way].not}`}: ${words}` })
  return null
}

const replace = (entry: Undoable, by: Undoable): void => change((each) => (each === entry ? [by] : [each]))
const drop = (entry: Undoable): void => change((each) => (each === entry ? [] : [each]))

const change = (to: (each: Undoable) => readonly Undoable[]): void =>
  stacks.update(({ done, undone }) => ({ done: done.flatMap(to), undone: undone.flatMap(to) }))
