import { sameJson } from '#src/domain/same-json.ts'
import { valueOf } from '#src/domain/field-values.ts'
import { call, type CallOptions } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { getItem, updateItem, updateTagValues } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { keepItemName } from '#web/data/item-names.ts'
import type { CellPlace } from '#web/data/pending-edits.ts'
import type { Row } from '#web/data/row-source.ts'
import { allByNamesNow, renamesSince } from '#web/data/tag-renames.ts'
import type { Seen } from '#web/data/unsent-edits.ts'
import { mergedList } from '#web/rules/merged-list.ts'
import { afterRenames } from '#web/rules/renamed.ts'

type Values = Readonly<Record<string, unknown>>

/** Values of one tag of an item; without a tag its name. */
export interface TagEdit {
  item_id: string
  tag_id: string | null
  values: Values
  /** The item as it was seen; with it the values outlast the page until they are sent. */
  seen?: Seen | undefined
  /** The values as an editor was opened on them: what others make of them meanwhile is looked at. */
  opened?: Values | undefined
  /** The values of the item as it was seen; without them those that were opened. */
  stored?: Values | undefined
  /** When the tag was last changed before the values were chosen: they are by its names of then. */
  tag_updated_at?: string | undefined
}

/** The value that an editor was opened on. */
export interface Opened {
  value: unknown
  /** By the time at which the item was seen, where that is later. */
  stored?: unknown
  /** As in a TagEdit. */
  tag_updated_at?: string | undefined
}

export interface SavedEdit {
  row: Row
  change_id: string | undefined
  /** What others had written there since it was opened, and what was typed has taken the place of. */
  replaced?: Values
}

/** Somebody may write values of the item again and again. */
const MOST_TRIES = 5

/**
 * Writes values. Where the item has changed since an editor was opened on it, lists get what was added to them and lose
 * what was taken from them; of any other value the answer says what it has taken the place of. Names that have become
 * others' since are those of then.
 * @throws Fault
 */
export async function sendEdit(edit: TagEdit): Promise<SavedEdit> {
  const { item_id, tag_id, seen } = edit
  if (!seen || !edit.opened) {
    const [values] = await allByNamesNow([edit])
    return put(edit, values!)
  }
  let { updated_at } = seen
  let states = { opened: edit.opened, values: edit.values, stored: edit.stored ?? edit.opened }
  for (let tries = 1; ; tries++) {
    try {
      const given = new Map(Object.keys(states.values).map((name) => [name, givenOf(name, states)]))
      const plain = Object.fromEntries([...given].map(([name, { value }]) => [name, value]))
      const saved = await put(edit, plain, { headers: { 'if-match': `"${updated_at}"` } })
      const replaced = [...given].flatMap(([name, { over }]) => (over ? [[name, over.value] as const] : []))
      return replaced.length ? { ...saved, replaced: Object.fromEntries(replaced) } : saved
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 412 || tries === MOST_TRIES) throw error
      const { data: item } = await call(getItem, { item_id })
      const renames = await renamesSince(edit)
      updated_at = item.updated_at
      states = {
        opened: afterRenames(edit.opened, renames),
        values: afterRenames(edit.values, renames),
        stored: tag_id === null ? { name: item.name } : (item.data[tag_id]?.field_values ?? {}),
      }
    }
  }
}

/** A value of an item, or its name; null: nothing. */
export const storedAt = (
  { name, data }: Pick<OutputOf<typeof getItem>, 'name' | 'data'>,
  { tag_id, field }: CellPlace,
): unknown => (tag_id === null ? name : (valueOf(data[tag_id]?.field_values ?? {}, field) ?? null))

interface Given {
  value: unknown
  /** What others have written there. */
  over?: { value: unknown }
}

function givenOf(name: string, states: Record<'opened' | 'values' | 'stored', Values>): Given {
  const [opened, mine, stored] = [states.opened, states.values, states.stored].map(
    (values) => valueOf(values, name) ?? null,
  )
  const merged = [opened, mine, stored].some(Array.isArray) ? mergedList({ opened, mine, stored }) : undefined
  if (merged !== undefined) return { value: merged }
  return sameJson(stored, opened) || sameJson(stored, mine)
    ? { value: mine }
    : { value: mine, over: { value: stored } }
}

async function put(
  { item_id, tag_id, seen }: TagEdit,
  values: Values,
  more?: CallOptions,
): Promise<SavedEdit> {
  const options = { ...more, isKept: seen !== undefined }
  const { data, change_id } =
    tag_id === null
      ? await call(updateItem, { item_id, ...values }, options)
      : await call(updateTagValues, { item_id, tag_id, field_values: { ...values }, merge: true }, options)
  keepItemName(item_id, data.name)
  return { row: rowOfItem(data), change_id }
}

/** One item is read with `data`, a list has `tags`. */
export function rowOfItem({ description: _, data, ...rest }: OutputOf<typeof updateItem>): Row {
  return { ...rest, tags: data }
}
