import type { Db } from '#src/sql/query.ts'

/** Items that are read at once: a page of the longest descriptions must not be read whole before it is cut. */
const CHUNK = 64
const MIN_CHUNK = 4

/** Under which the size of the items that were read last is kept. */
const AVERAGE = 'characters of a listed item'

/** How many items to read at once where a page takes `left` more characters: as many as it will take where they are as long as those before. */
export function chunkFor(db: Db, left: number): number {
  const average = db.cache.get(AVERAGE) as number | undefined
  return average === undefined ? CHUNK : Math.min(CHUNK, Math.max(MIN_CHUNK, Math.ceil(left / average)))
}

/** What the items of a page came to. */
export function noteSize(db: Db, items: number, characters: number): void {
  if (items) db.cache.set(AVERAGE, characters / items)
}
