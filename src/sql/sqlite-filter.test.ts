import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { sqliteFilter } from '#src/sql/sqlite-filter.ts'
import { openBase } from '#test/support/base.ts'

const TEXTS = [
  'compare the warehouse of the harbour 17',
  'the harbour of the warehouse: compare 17',
  'warehouse harbour',
  'harbour warehouse harbour',
  'aaaaaaaaaaaaaaaaaaaa',
  'aaaaaaaaaaabaaaaaaaa',
  'abcabcabcabcabcabcab',
  'abcabcabcabdabcabcab',
  'she said "to be or not to be" and left',
  'near(me and you, 10) or not',
  'straße 100% élan vital ελληνικά',
  '😀😃😄😁😆😅😂🤣😊😇 smile 😀😃😄',
  `${'0123456789 '.repeat(10)}end`,
  `${'0123456789 '.repeat(10)}and`,
]
/** As the second text of the item after, to be found in either. */
const descriptionOf = (i: number) => TEXTS[(i + 1) % TEXTS.length]!

/** Every part of a text that has this many characters. */
function partsOf(text: string, length: number): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.max(0, characters.length - length + 1) }, (_, i) =>
    characters.slice(i, i + length).join(''),
  )
}

describe('itemsWithText', () => {
  let base: Awaited<ReturnType<typeof openBase>>

  beforeAll(async () => {
    base = await openBase()
    const insert = base.db.raw.prepare('insert into item_text (id, name, description) values (?, ?, ?)')
    for (const [i, text] of TEXTS.entries()) insert.run(i, text, descriptionOf(i))
  })
  afterAll(() => base.close())

  async function found(part: string): Promise<number[]> {
    const rows = sql<{ item: number }>`${sqliteFilter.itemsWithText({ text: part })!} order by item`
    return (await base.db.select<{ item: number }>(rows.compile(base.db.dialect.builder))).map(
      ({ item }) => item,
    )
  }
  const having = (part: string) =>
    TEXTS.flatMap((text, i) => (text.includes(part) || descriptionOf(i).includes(part) ? [i] : []))

  for (const length of [3, 6, 9, 10, 11, 12, 13, 14, 15, 18, 20, 63, 64, 65, 100])
    it(`finds the items that have ${length} characters, and no others`, async () => {
      for (const text of TEXTS)
        for (const part of partsOf(text, length))
          expect([part, await found(part)]).toEqual([part, having(part)])
    })

  it('finds nothing by parts that stand in a text, but not one behind the other', async () => {
    for (const part of [
      'harbour of the harbour',
      'abcabcabdabcabd',
      'aaaabaaaab',
      'compare 17 the warehouse',
    ])
      expect(await found(part)).toEqual([])
  })

  it('leaves parts that are too short to the texts themselves', () => {
    expect(sqliteFilter.itemsWithText({ text: '😀😃' })).toBeUndefined()
  })
})
