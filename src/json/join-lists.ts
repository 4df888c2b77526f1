/** JSON as text, or as the bytes that an engine gives out. */
export type JsonText = string | Buffer

const COMMA = 0x2c

/** One JSON array of all elements of arrays that have some; what is bytes stays so, and may be written to. */
export function joinLists(lists: readonly JsonText[]): JsonText {
  const [only = '[]', ...others] = lists
  if (!others.length) return only
  if (typeof only === 'string') return `[${lists.map((list) => String(list).slice(1, -1)).join()}]`
  const last = lists.length - 1
  return Buffer.concat(
    (lists as readonly Buffer[]).map((list, i) => {
      if (i) list[0] = COMMA // in place of the bracket, as the one before has lost its own
      return i < last ? list.subarray(0, -1) : list
    }),
  )
}
