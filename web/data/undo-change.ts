import { keepUndoable } from '#web/data/undo-stack.ts'

/** What the service has recorded can be taken back by its change; `renew` follows both ways. */
export function keepChange(
  words: string,
  change_id: string | undefined,
  renew?: () => Promise<unknown>,
): void {
  if (change_id !== undefined) keepUndoable({ words, change_ids: [change_id], renew })
}
