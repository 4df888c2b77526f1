import { expect, it } from 'vitest'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { textPieces } from '#src/storage/items/text-pieces.ts'
import { wordsOfItems } from '#src/storage/words/item-words.ts'
import { markedBy, snippetsOf } from '#src/storage/search/item-snippets.ts'
import { recordingDb } from '#test/support/recording-db.ts'

const MIB = 2 ** 20

/** Items with texts of so many bytes each; null of one without texts. */
const itemsOf = (bytes: readonly (number | null)[]) =>
  recordingDb({ ...sqliteDialect }, ({ sql }) =>
    sql.includes('octet_length')
      ? bytes.flatMap((each, i) => (each === null ? [] : { id: i + 1, bytes: each }))
      : [],
  )
const numbered = (bytes: readonly unknown[]) => bytes.map((_, i) => i + 1)

it('no more long texts are in memory at once than have 4 MiB together', async () => {
  const pieces = (bytes: readonly (number | null)[]) => textPieces(itemsOf(bytes), 'item', numbered(bytes))
  expect(await pieces([])).toEqual([])
  expect(await pieces([100 * MIB])).toEqual([[1]])
  expect(await pieces(Array.from({ length: 500 }, () => 200))).toMatchObject([{ length: 500 }])
  expect(await pieces([2 * MIB, 2 * MIB, 1, null, 5 * MIB, 1])).toEqual([[1, 2], [3, 4], [5], [6]])
})

it.each([
  ['words', wordsOfItems],
  ['snippets', (db, ids) => snippetsOf(db, markedBy({ kind: 'search', text: 'x' }), ids)],
] satisfies [string, (db: ReturnType<typeof itemsOf>, ids: number[]) => Promise<unknown>][])(
  'so the %s of items are found',
  async (_, find) => {
    const bytes = [3 * MIB, 3 * MIB, 1]
    const db = itemsOf(bytes)
    await find(db, numbered(bytes))
    const read = db.asked.filter(({ sql }) => /description"/.test(sql) && !sql.includes('octet_length'))
    expect(read.map(({ parameters }) => parameters[0])).toEqual(['[1]', '[2,3]'])
  },
)
