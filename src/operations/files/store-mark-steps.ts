import { defineStep } from '#src/runtime/operation.ts'
import { hasContents } from '#src/storage/files/files.ts'
import { setStoreMark, storeMark } from '#src/storage/files/store-mark.ts'

/** Milliseconds after which a mark is made anew: an older copy of the base knows it no more. */
const TURNED = 20 * 60 * 60 * 1000

/** Of the mark that a store has: whether it is this base's. It writes nothing, and a replica would know too little. */
export const knowsStoreMark = defineStep({
  name: 'knowsStoreMark',
  effect: 'write',
  async run({ db }, { seen }: { seen: string }): Promise<boolean> {
    const mark = await storeMark(db)
    return mark !== null && (seen === mark.id || seen === mark.before)
  },
})

/** The mark that the store is to have, where it had `seen` (null: none, or another's that is taken over). */
export const turnStoreMark = defineStep({
  name: 'turnStoreMark',
  effect: 'write',
  async run({ db, now, newId }, { seen }: { seen: string | null }): Promise<string> {
    const mark = await storeMark(db)
    // Before a mark is replaced, the store has it.
    const isDue = mark?.id === seen && Math.abs(now.getTime() - Date.parse(mark?.turned_at ?? '')) > TURNED
    if (mark && !isDue) return mark.id
    const id = newId()
    await setStoreMark(db, { id, before: mark?.id ?? null, turned_at: now.toISOString() })
    return id
  },
})

/** Whether the base has bytes of files at all. */
export const hasFileContents = defineStep({
  name: 'hasFileContents',
  effect: 'read',
  run: ({ db }): Promise<boolean> => hasContents(db),
})
