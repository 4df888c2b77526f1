import type { listKeys } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'

export type ScopeName = OutputOf<typeof listKeys>[number]['scope']

/** What a key or an app may: where it is chosen, and in a list. */
export const SCOPE_WORDS: Readonly<Record<ScopeName, { may: string; does: string }>> = {
  write: { may: 'read and change', does: 'reads and changes' },
  propose: { may: 'read, and propose changes', does: 'reads and proposes' },
  read: { may: 'read', does: 'reads' },
}
