import { asWrite, call } from '#web/api/call.ts'
import { toFault, Fault } from '#web/api/fault.ts'
import { batch, type updateItem } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { isItemGone } from '#web/data/is-item-gone.ts'
import { keepItemName } from '#web/data/item-names.ts'
import { type CellPlace, type PendingEdit, PendingEdits, type ShownRow } from '#web/data/pending-edits.ts'
import { placeNow } from '#web/data/place-now.ts'
import type { Row } from '#web/data/row-source.ts'
import { keepSavedRows } from '#web/data/saved-rows.ts'
import { type Opened, rowOfItem, type SavedEdit, sendEdit, type TagEdit } from '#web/data/send-edit.ts'
import { allByNamesNow } from '#web/data/tag-renames.ts'
import { endUnsent, keepOfGone, keepUnsent, type Seen, type Unsent } from '#web/data/unsent-edits.ts'

/**
 * Edits of values, shown at once and saved behind the scenes: one after the other for each item, so that they arrive in
 * the order in which they were made. What is refused stays, with its reason, until somebody changes or drops it.
 */
export class ItemEdits {
  private readonly pending = new PendingEdits()
  private readonly queues = new Map<string, Promise<unknown>>()
  private readonly listeners = new Set<() => void>()
  private readonly onSaved = new Set<(row: Row) => void>()
  private version = 0

  constructor(onSaved?: (row: Row) => void) {
    if (onSaved) this.onSaved.add(onSaved)
  }

  /** From now on, until what it gives is called, the rows that are saved are given to this one too. */
  savedTo(onSaved: (row: Row) => void): () => void {
    this.onSaved.add(onSaved)
    return () => this.onSaved.delete(onSaved)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  snapshot = (): number => this.version

  of(place: CellPlace): PendingEdit | undefined {
    return this.pending.get(place)
  }

  /** The one rule: what has been typed, also nothing, comes before what is stored. */
  shown<R extends ShownRow>(row: R): R {
    return this.pending.shown(row)
  }

  get failed(): number {
    return this.pending.failed
  }

  /** Lets go of what was refused; what is still being saved has its own end. */
  drop(place: CellPlace): void {
    const edit = this.pending.get(place)
    if (!edit?.fault) return
    this.pending.delete(place)
    endUnsent([{ ...place, value: edit.value }])
    this.changed()
  }

  /** Keeps what cannot be, with the reason, until somebody changes or drops it. */
  refuse(place: CellPlace, value: unknown, message: string): void {
    this.pending.set(place, { value, fault: new Fault(400, { error: 'BadRequest', message }) })
    this.changed()
  }

  /** Resolves when the service has it, or has refused it. */
  async save(place: CellPlace, value: unknown, seen?: Seen, opened?: Opened): Promise<SavedEdit | Fault> {
    const { item_id, tag_id, field } = place
    const edit: TagEdit = { item_id, tag_id, values: { [field]: value }, seen }
    if (!opened) return this.saveTogether(edit)
    const { value: before, stored = before, tag_updated_at } = opened
    return this.saveTogether({
      ...edit,
      opened: { [field]: before },
      stored: { [field]: stored },
      tag_updated_at,
    })
  }

  /** Several fields of one tag of an item, as one change. */
  async saveTogether(edit: TagEdit): Promise<SavedEdit | Fault> {
    const { item_id, tag_id, values } = edit
    // Opened on what was refused: nobody else has anything of that.
    const isOver = Object.keys(values).some((field) => this.pending.get({ item_id, tag_id, field })?.fault)
    const given = isOver ? { ...edit, opened: undefined } : edit
    const [saved] = await this.saveInTurn([edit], async () => [await sendEdit(given).catch(toFault)])
    return saved!
  }

  /** Many items as one change; what is refused has its own reason, and the others are saved one by one. */
  async saveMany(edits: readonly TagEdit[]): Promise<readonly (SavedEdit | Fault)[]> {
    return this.saveInTurn(edits, () => sendTogether(edits))
  }

  /** Shown at once, sent when what was written to these items before has its answer. */
  private async saveInTurn(
    edits: readonly TagEdit[],
    work: () => Promise<readonly (SavedEdit | Fault)[]>,
  ): Promise<readonly (SavedEdit | Fault)[]> {
    const pending = edits.map(({ item_id, tag_id, values }) =>
      Object.entries(values).map(([field, value]) => {
        const edit: PendingEdit = { value }
        return { place: { item_id, tag_id, field }, edit }
      }),
    )
    for (const { place, edit } of pending.flat()) this.pending.set(place, edit)
    keepUnsent(edits.flatMap(unsentOf))
    this.changed()
    const before = edits.map(({ item_id }) => this.queues.get(item_id))
    const saving = Promise.all(before)
      .then(work)
      .then((all) => Promise.all(all.map((saved, i) => ofLive(edits[i]!, saved))))
    for (const { item_id } of edits) this.queues.set(item_id, saving)
    const all = await asWrite(saving)
    endUnsent(edits.flatMap((edit, i) => (isAnswer(all[i]!) ? unsentOf(edit) : [])))
    keepOfGone(edits.flatMap((edit, i) => keptOf(edit, all[i]!)))
    for (const { item_id } of edits) if (this.queues.get(item_id) === saving) this.queues.delete(item_id)
    keepSavedRows(all.flatMap((saved) => (saved instanceof Fault ? [] : [saved.row])))
    for (const [i, saved] of all.entries()) {
      for (const { place, edit } of pending[i]!) {
        // Typed over meanwhile: the later one has its own end.
        if (this.pending.get(place) !== edit) continue
        if (saved instanceof Fault && !(saved instanceof PlaceGone))
          this.pending.set(place, { ...edit, fault: saved })
        else this.pending.delete(place)
      }
      if (!(saved instanceof Fault)) for (const take of this.onSaved) take(saved.row)
    }
    this.changed()
    return all
  }

  private changed(): void {
    this.version++
    for (const listener of this.listeners) listener()
  }
}

const unsentOf = ({ item_id, tag_id, values, seen }: TagEdit): Unsent[] =>
  seen ? Object.entries(values).map(([field, value]) => ({ item_id, tag_id, field, value, ...seen })) : []

/** What it was typed into is not there any more: it waits for the person who typed (`keepOfGone`). */
class PlaceGone extends Fault {
  /** Undefined: its item was deleted, and can be restored. */
  readonly why: string | undefined

  constructor({ status, code }: Fault, name: string, why?: string) {
    super(status, {
      error: code,
      message:
        why === undefined
          ? `${name} has been deleted. What you typed is kept: restore the item, or drop it`
          : `${name} was not changed: ${why}. What you typed is kept until you drop it`,
    })
    this.why = why
  }
}

const keptOf = (edit: TagEdit, saved: SavedEdit | Fault): Unsent[] =>
  saved instanceof PlaceGone ? unsentOf(edit).map((each) => ({ ...each, why: saved.why })) : []

/** The service names an item that is not there by its id, and what was not found may be its tag, or a field by its old name. */
async function ofLive(edit: TagEdit, saved: SavedEdit | Fault): Promise<SavedEdit | Fault> {
  const { item_id, seen } = edit
  if (!(saved instanceof Fault) || !seen) return saved
  if (saved.status === 404 && (await isItemGone(item_id))) return new PlaceGone(saved, seen.name)
  const now = await placeNow(edit, saved)
  if (!now) return saved
  if ('why' in now) return new PlaceGone(saved, seen.name, now.why)
  return sendEdit({ ...edit, ...now }).catch(toFault)
}

/** Asked too often, signed out or out of order it can be sent once more; else it is stored, or can never be. */
const isAnswer = (saved: SavedEdit | Fault): boolean =>
  !(saved instanceof Fault) ||
  (saved.status >= 400 && saved.status < 500 && saved.status !== 401 && saved.status !== 429)

/** An element's answer is what the operation answers by itself. */
type Answered = OutputOf<typeof updateItem>

async function sendTogether(edits: readonly TagEdit[]): Promise<readonly (SavedEdit | Fault)[]> {
  const values = await allByNamesNow(edits)
  const operations = edits.map(({ item_id, tag_id }, i) =>
    tag_id === null
      ? { operation: 'updateItem', input: { item_id, ...values[i] } }
      : { operation: 'updateTagValues', input: { item_id, tag_id, field_values: values[i], merge: true } },
  )
  const answer = await call(batch, { operations }, { isKept: edits.every(({ seen }) => seen) }).catch(toFault)
  // All or none: where one of them was at fault, each is taken or refused for itself.
  if (answer instanceof Fault) return OF_ONE.has(answer.status) ? oneByOne(edits) : edits.map(() => answer)
  const change_id = answer.data.change_id ?? undefined
  return (answer.data.results as Answered[]).map((data) => {
    keepItemName(data.item_id, data.name)
    return { row: rowOfItem(data), change_id }
  })
}

/** What is wrong with one element; too often, too large or not signed in they are all of them. */
const OF_ONE: ReadonlySet<number> = new Set([400, 404, 409, 412])
/** As many at once as a browser has connections. */
const AT_ONCE = 5

async function oneByOne(edits: readonly TagEdit[]): Promise<readonly (SavedEdit | Fault)[]> {
  const all: (SavedEdit | Fault)[] = []
  const left = edits.entries()
  const work = async () => {
    for (const [i, edit] of left) all[i] = await sendEdit(edit).catch(toFault)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return all
}
