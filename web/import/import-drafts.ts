import { holdPageWhile } from '#web/parts/use-leave-guard.ts'
import type { TableDraft } from '#web/rules/import-mapping.ts'
import { Slot, useSlot } from '#web/store.ts'

export type Drafts = Readonly<Record<string, TableDraft>>

/** By import: one may leave the page to mend a tag, and come back. What was previewed once the service has. */
const kept = new Slot<ReadonlyMap<string, Drafts>>('import_drafts', 'account', () => new Map())

export const keepDrafts = (import_id: string, drafts: Drafts | null): void =>
  kept.update((all) => {
    const next = new Map(all)
    if (drafts) next.set(import_id, drafts)
    else next.delete(import_id)
    return next
  })

export const useKeptDrafts = (import_id: string): Drafts | undefined =>
  useSlot(kept, (all) => all.get(import_id))

/** Imports with choices that the service does not have yet: before they are lost one is asked. */
const unchecked = new Slot<ReadonlySet<string>>('unchecked_imports', 'account', () => new Set())
holdPageWhile(unchecked, ({ size }) => size > 0)

export const holdDrafts = (import_id: string, isHeld: boolean): void =>
  unchecked.update((all) => (isHeld ? all.union(new Set([import_id])) : all.difference(new Set([import_id]))))

/** Rows that were pasted and not sent yet: they stay within the application, and closing and signing out ask. */
const pasted = new Slot('pasted_rows', 'account', () => '')
holdPageWhile(pasted, (text) => text !== '')

export const keepPasted = pasted.set

/** They are an import by now; what has been typed since stays. */
export const forgetPasted = (text: string): void => pasted.update((now) => (now === text ? '' : now))

export const useKeptText = (): string => useSlot(pasted, (text) => text)
