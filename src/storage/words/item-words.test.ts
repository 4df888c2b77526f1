import { expect, it } from 'vitest'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { wordsOfItems } from '#src/storage/words/item-words.ts'
import { recordingDb } from '#test/support/recording-db.ts'

/** The row ids that are read at once, of texts of so many bytes each; null of an item without texts. */
async function readAtOnce(bytes: readonly (number | null)[]): Promise<number[][]> {
  const asked: number[][] = []
  const db = recordingDb({ ...sqliteDialect }, ({ sql, parameters }) => {
    if (sql.includes('octet_length'))
      return bytes.flatMap((each, i) => (each === null ? [] : { id: i + 1, bytes: each }))
    if (sql.includes('name_length')) asked.push(JSON.parse(String(parameters[0])) as number[])
    return []
  })
  const ids = bytes.map((_, i) => i + 1)
  await wordsOfItems(db, ids)
  return asked
}

it('no more long texts are in memory at once than have 4 MiB together', async () => {
  const MIB = 2 ** 20
  expect(await readAtOnce([])).toEqual([])
  expect(await readAtOnce([100 * MIB])).toEqual([[1]])
  expect(await readAtOnce(Array.from({ length: 500 }, () => 200))).toMatchObject([{ length: 500 }])
  expect(await readAtOnce([2 * MIB, 2 * MIB, 1, null, 5 * MIB, 1])).toEqual([[1, 2], [3, 4], [5], [6]])
})
