import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '#src/domain/errors.ts'
import { firstUlidAt } from '#src/domain/ulid.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { MAX_TOUCHED } from '#src/storage/past/events-since.ts'
import { openBase } from '#test/support/base.ts'

/** Of the first of the events, each of which is of an item of its own and a second after the one before. */
const FIRST = Date.parse('2026-02-01T00:00:00.000Z')
const at = (seconds: number) => new Date(FIRST + seconds * 1000).toISOString()

describe('what was touched since', () => {
  let base: Awaited<ReturnType<typeof openBase>>
  beforeAll(async () => {
    base = await openBase()
    const insert = base.db.raw.prepare(
      `insert into audit_event (event_id, event_type, entity_type, item_id, source, details, created_at, details_hash, hash)
       values (?, 'item_created', 'item', ?, 'rest', '{"name":"x"}', ?, '', '')`,
    )
    const purged = base.db.raw.prepare('insert into purged_item (id, item_id) values (?, ?)')
    base.db.raw.exec('begin')
    for (let i = 0; i <= MAX_TOUCHED + 10; i++) {
      const id = firstUlidAt(FIRST + i * 1000)
      insert.run(id, id, at(i))
      purged.run(i + 1, id)
    }
    base.db.raw.exec('commit')
  })
  afterAll(() => base.close())

  it('is refused where it is too much, with the earliest moment that can be asked', async () => {
    const refused = await base.run(searchItems, { as_of: at(0), limit: 1 }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ServiceError)
    const { code, details } = refused as ServiceError
    expect([code, details]).toEqual(['BadRequest', { earliest: at(10) }])
    await expect(base.run(searchItems, { as_of: at(10), limit: 1 })).resolves.toEqual([])
    await expect(base.run(searchItems, { as_of: at(9), limit: 1 })).rejects.toThrow('100,000 items')
  })
})
