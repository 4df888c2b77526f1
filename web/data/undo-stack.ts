import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'

/** Something done that can be taken back. */
export interface Undoable {
  /** What was done, as a sentence: `Changed status of 3 items`. */
  words: string
  undo: () => Promise<void>
  redo: () => Promise<void>
}

/** For each tab; older ones are found in the history. */
const MOST = 100

let done: Undoable[] = []
let undone: Undoable[] = []
let busy = false

/** Kept only when it has succeeded. */
export function keepUndoable(entry: Undoable): void {
  done = [...done.slice(1 - MOST), entry]
  undone = []
}

export async function undoLast(): Promise<void> {
  await step(done, undone, ({ undo }) => undo(), 'Undone')
}

export async function redoLast(): Promise<void> {
  await step(undone, done, ({ redo }) => redo(), 'Done again')
}

async function step(
  from: Undoable[],
  to: Undoable[],
  run: (entry: Undoable) => Promise<void>,
  word: string,
): Promise<void> {
  const entry = from.at(-1)
  if (busy) return
  if (!entry) return say(`Nothing to be ${word.toLowerCase()}`)
  busy = true
  try {
    await run(entry)
    from.pop()
    to.push(entry)
    toast({ text: `${word}: ${entry.words}` })
  } catch (error) {
    toast({ text: `Could not be ${word.toLowerCase()}: ${(error as Error).message}`, kind: 'danger' })
  } finally {
    busy = false
  }
}
