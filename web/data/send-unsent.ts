import { valueOf } from '#src/domain/field-values.ts'
import { asWrite, call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { applyTag, getItem, restoreItem } from '#web/api/operations.ts'
import { isItemGone } from '#web/data/is-item-gone.ts'
import { itemsChanged } from '#web/data/items-changed.ts'
import { placeNow } from '#web/data/place-now.ts'
import { sendEdit, type TagEdit } from '#web/data/send-edit.ts'
import { keepUndoable } from '#web/data/undo-stack.ts'
import { endUnsent, keepUnsent, stopUnsent, stoppedUnsent, type Unsent } from '#web/data/unsent-edits.ts'
import { toast } from '#web/parts/toast.tsx'

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/**
 * Sends what an earlier page could not. An item that somebody has changed or deleted since then is left alone, until the
 * person who typed says so (`all`): then a deleted one is restored first.
 */
export const sendUnsent = (edits: readonly Unsent[], all = false): Promise<void> => asWrite(send(edits, all))

async function send(edits: readonly Unsent[], all: boolean): Promise<void> {
  if (!edits.length) return
  keepUnsent(edits)
  const change_ids: string[] = []
  const open: Unsent[] = []
  const items = Map.groupBy(edits, ({ item_id }) => item_id)
  for (const [item_id, some] of items) {
    const sent = await sendItem(item_id, some, all).catch(toFault)
    if (!(sent instanceof Fault)) {
      change_ids.push(...sent)
      continue
    }
    const isGone = sent.status === 404 && (await isItemGone(item_id))
    const { why } = sent.details as { why?: string }
    open.push(...some.map((edit) => ({ ...edit, isGone, why })))
    if (all) toast({ text: `${some[0]!.name} was not sent: ${sent.message}`, kind: 'danger' })
  }
  endUnsent(edits)
  const isOpen = new Set(open.map(({ item_id }) => item_id))
  stopUnsent([...stoppedUnsent(), ...open])
  const count = edits.length - open.length
  if (!count) return
  const words = `Sent ${count === 1 ? 'a value' : `${count} values`} that had waited`
  keepUndoable({ words, change_ids: change_ids.toSorted() })
  itemsChanged([...items.keys()].filter((id) => !isOpen.has(id)))
  toast({ text: words })
}

/** The changes that it made. */
async function sendItem(item_id: string, edits: readonly Unsent[], all: boolean): Promise<string[]> {
  const made: (string | undefined)[] = []
  if (all && edits.some(({ isGone }) => isGone)) made.push(await restored(item_id))
  const { data: item } = await call(getItem, { item_id })
  const stored = ({ tag_id, field }: Unsent) =>
    tag_id === null ? item.name : valueOf(item.data[tag_id]?.field_values ?? {}, field)
  // Its answer was lost, not the value.
  const missing = edits.filter((edit) => !same(stored(edit), edit.value))
  if (missing.length && !all && item.updated_at !== edits[0]!.updated_at)
    throw new Fault(409, { error: 'Conflict', message: 'Somebody has changed the item since' })
  for (const [tag_id, some] of Map.groupBy(missing, (edit) => edit.tag_id)) {
    const values = Object.fromEntries(some.map(({ field, value }) => [field, value]))
    const edit = { item_id, tag_id, values }
    made.push(tag_id !== null && !item.data[tag_id] && all ? await givenTag(edit) : await sent(edit))
  }
  return made.filter((id) => id !== undefined)
}

/** The change that gives the item its tag again, with the values. */
const givenTag = ({ item_id, tag_id, values: field_values }: TagEdit): Promise<string | undefined> =>
  inPlace({ item_id, tag_id, values: field_values }, async (values) => {
    const tag = { tag_ref: { Existing: tag_id! }, field_values: { ...values } }
    return (await call(applyTag, { item_id, tag })).change_id
  })

const sent = (edit: TagEdit): Promise<string | undefined> =>
  inPlace(edit, async (values) => (await sendEdit({ ...edit, values })).change_id)

/** Fields that were renamed meanwhile by their new names; where there is no place any more it says why. */
async function inPlace(
  edit: TagEdit,
  write: (values: TagEdit['values']) => Promise<string | undefined>,
): Promise<string | undefined> {
  const answer = await write(edit.values).catch(toFault)
  if (!(answer instanceof Fault)) return answer
  const now = await placeNow(edit, answer)
  if (!now) throw answer
  if ('values' in now) return write(now.values)
  throw new Fault(answer.status, { error: answer.code, message: now.why, details: { why: now.why } })
}

/** The change that brings the item back; none where somebody else has done so. */
async function restored(item_id: string): Promise<string | undefined> {
  if (!(await isItemGone(item_id))) return undefined
  const answer = await call(restoreItem, { item_id }).catch(toFault)
  if (!(answer instanceof Fault)) return answer.change_id
  const message = 'It has been removed for good. Copy what you typed, or drop it'
  throw answer.status === 404 ? new Fault(404, { error: answer.code, message }) : answer
}
