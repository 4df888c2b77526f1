import { holdPageWhile } from '#web/parts/use-leave-guard.ts'
import { Slot } from '#web/store.ts'

/** A text that was left and could not be saved: somebody else had written meanwhile, or it was refused. */
export interface DescriptionDraft {
  text: string
  /** What it was written over. */
  over: string | null
}

/** By their items; as long as there is one, the page asks before it is closed. */
const drafts = new Slot<ReadonlyMap<string, DescriptionDraft>>(
  'description_drafts',
  'account',
  () => new Map(),
)
holdPageWhile(drafts, ({ size }) => size > 0)

export const draftOf = (item_id: string): DescriptionDraft | undefined => drafts.get().get(item_id)

export const keepDraft = (item_id: string, draft: DescriptionDraft): void =>
  drafts.update((all) => new Map(all).set(item_id, draft))

export const dropDraft = (item_id: string): void =>
  drafts.update((all) => new Map([...all].filter(([id]) => id !== item_id)))
