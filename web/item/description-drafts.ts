import { onSessionState, sessionState } from '#web/api/session-state.ts'
import { holdPage } from '#web/parts/use-leave-guard.ts'

/** A text that was left and could not be saved: somebody else had written meanwhile, or it was refused. */
export interface DescriptionDraft {
  text: string
  /** What it was written over. */
  over: string | null
}

/** By their items; as long as there is one, the page asks before it is closed. */
const drafts = new Map<string, DescriptionDraft>()
let letGo: (() => void) | undefined

export const draftOf = (item_id: string): DescriptionDraft | undefined => drafts.get(item_id)

export function keepDraft(item_id: string, draft: DescriptionDraft): void {
  drafts.set(item_id, draft)
  letGo ??= holdPage()
}

export function dropDraft(item_id: string): void {
  drafts.delete(item_id)
  if (drafts.size) return
  letGo?.()
  letGo = undefined
}

// The next who signs in is somebody else.
onSessionState(() => {
  if (sessionState() === 'signed_out') for (const item_id of drafts.keys()) dropDraft(item_id)
})
