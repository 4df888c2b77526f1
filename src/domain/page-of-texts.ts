/** Rows that are read first, when nobody knows yet how long they are. */
const FIRST_PIECE = 8
/** Each piece is at most this many times as large as the one before: a few long rows after short ones cannot surprise. */
const GROWTH = 4

export interface PageOfTexts<Row> {
  texts: string[]
  /** The last row of the page, where more follow. */
  end: Row | undefined
}

/**
 * A page of a list: `limit` rows, or fewer where their texts come to `max` characters (one at least). It is read in
 * pieces, so that a page of the longest rows is never in memory whole before it is cut.
 */
export async function pageOfTexts<Row>({
  limit,
  max,
  read,
  textOf,
}: {
  limit: number
  max: number
  /** Up to `count` rows after one; from the beginning of the page where it is undefined. */
  read: (after: Row | undefined, count: number) => Promise<readonly Row[]>
  textOf: (row: Row) => string
}): Promise<PageOfTexts<Row>> {
  const texts: string[] = []
  let [size, piece, last] = [0, FIRST_PIECE, undefined as Row | undefined]
  for (;;) {
    const wanted = Math.min(piece, limit - texts.length + 1)
    const rows = await read(last, wanted)
    for (const row of rows) {
      if (texts.length >= limit || size >= max) return { texts, end: last }
      const text = textOf(row)
      texts.push(text)
      size += text.length
      last = row
    }
    if (rows.length < wanted) return { texts, end: undefined }
    const fitting = Math.ceil(((max - size) * texts.length) / Math.max(1, size)) + 1
    piece = Math.max(1, Math.min(piece * GROWTH, fitting))
  }
}
