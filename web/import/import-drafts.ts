import { useSyncExternalStore } from 'react'
import { onSessionState, sessionState } from '#web/api/session-state.ts'
import { holdPage } from '#web/parts/use-leave-guard.ts'
import type { TableDraft } from '#web/rules/import-mapping.ts'

export type Drafts = Readonly<Record<string, TableDraft>>

/** By import: one may leave the page to mend a tag, and come back. What was looked at once the service keeps. */
let kept: ReadonlyMap<string, Drafts> = new Map()
const listeners = new Set<() => void>()

export function keepDrafts(import_id: string, drafts: Drafts | null): void {
  const next = new Map(kept)
  if (drafts) next.set(import_id, drafts)
  else next.delete(import_id)
  kept = next
  for (const listener of listeners) listener()
}

export const useKeptDrafts = (import_id: string): Drafts | undefined =>
  useSyncExternalStore(subscribe, () => kept).get(import_id)

let pasted = ''
let letGo: (() => void) | undefined

/** Rows that were pasted and not sent yet: they stay within the application, and closing and signing out ask. */
export function keepPasted(text: string): void {
  pasted = text
  if (text) letGo ??= holdPage()
  else {
    letGo?.()
    letGo = undefined
  }
  for (const listener of listeners) listener()
}

export const useKeptText = (): string => useSyncExternalStore(subscribe, () => pasted)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// The next who signs in is somebody else.
onSessionState(() => {
  if (sessionState() !== 'signed_out') return
  kept = new Map()
  keepPasted('')
})
