import { call } from '#web/api/call.ts'
import { undoChanges } from '#web/api/operations.ts'
import { keepUndoable } from '#web/data/undo-stack.ts'

/** Takes a change back, and answers with the change that did so: undone itself, it is there again. */
export async function undoChange(change_id: string): Promise<string> {
  const { data } = await call(undoChanges, { change_ids: [change_id] })
  return data.change_id ?? change_id
}

/** What the service has recorded can be taken back by its change; `renew` follows both ways. */
export function keepChange(
  words: string,
  change_id: string | undefined,
  renew: () => Promise<unknown> = async () => {},
): void {
  if (change_id === undefined) return
  let last = change_id
  const turn = async () => {
    last = await undoChange(last)
    await renew()
  }
  keepUndoable({ words, undo: turn, redo: turn })
}
