import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { lastUlidAt } from '#src/domain/ulid.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { appendEvents, type AuditEvent } from '#src/storage/log/audit-log.ts'
import { findEvents } from '#src/storage/log/find-events.ts'
import { openBase } from '#test/support/base.ts'
import { plansOf } from '#test/support/plans-of.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'

let base: Awaited<ReturnType<typeof openBase>>
beforeAll(async () => {
  base = await openBase()
})
afterAll(() => base.close())

const T0 = Date.parse('2026-01-31T09:30:00.000Z')

function callAt(time: number, source: (now: number) => string) {
  const newId = () => source(time)
  return { caller: SERVICE, now: new Date(time), newId, change: new OpenChange('createItem', newId) }
}

describe('appendEvents', () => {
  it('keeps the order of many events and the time of their ids', async () => {
    const newId = ulidSource()
    const events: AuditEvent[] = Array.from({ length: 203 }, (_, i) => ({
      event_type: 'item_created',
      entity_type: 'item',
      item_id: `item-${i}`,
      details: i % 2 ? { number: i } : `{"number":${i}}`,
    }))
    await appendEvents(base.db, callAt(T0, newId), events)
    const found = (await findEvents(base.db, { limit: 1000 })).texts.map((text) => JSON.parse(text))
    expect(found.map((event) => event.details.number)).toEqual(events.map((_, i) => 202 - i))
    expect(new Set(found.map((event) => event.created_at))).toEqual(new Set(['2026-01-31T09:30:00.000Z']))
    expect(found[0]).toEqual({
      event_id: expect.any(String),
      event_type: 'item_created',
      entity_type: 'item',
      item_id: 'item-202',
      tag_id: null,
      user_id: null,
      source: 'rest',
      details: { number: 202 },
      created_at: '2026-01-31T09:30:00.000Z',
      change_id: expect.any(String),
      client: null,
      user_name: null,
      details_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      details_salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('does not go back in time when the clock does', async () => {
    const newId = ulidSource(lastUlidAt(T0))
    await appendEvents(base.db, callAt(T0 - 3_600_000, newId), [
      { event_type: 'item_deleted', entity_type: 'item', details: {} },
    ])
    const [newest] = (await findEvents(base.db, { limit: 1 })).texts
    expect(JSON.parse(newest!)).toMatchObject({
      event_type: 'item_deleted',
      created_at: '2026-01-31T09:30:00.001Z',
    })
  })

  for (const change of ["update audit_event set details = '{}'", 'delete from audit_event'])
    it(`is append-only: the database refuses ${change}`, () =>
      expect(() => base.db.exec(change)).toThrow('audit_event is append-only'))
})

describe('findEvents', () => {
  const id = (text: string) => [text]
  for (const [words, wanted] of [
    ['all', {}],
    ['by time', { after: { floor: T0, ceil: T0 }, before: { floor: T0, ceil: T0 } }],
    ['by one item', { item_ids: id('a') }],
    ['by items', { item_ids: ['a', 'b'] }],
    ['by tag and type', { tag_ids: id('a'), event_types: ['item_created', 'tag_applied'] }],
    ['by types', { event_types: ['item_purged', 'tag_applied'], after: { floor: T0, ceil: T0 } }],
  ] as const)
    it(`walks an index in order ${words}`, async () => {
      const plans = await plansOf(base.db, () => findEvents(base.db, { limit: 50, ...wanted }))
      expect(plans.some((detail) => /(SEARCH|SCAN) audit_event USING .*INDEX/.test(detail))).toBe(true)
      if (Object.values(wanted).every((values) => !Array.isArray(values) || values.length === 1))
        expect(plans.filter((detail) => /TEMP B-TREE/.test(detail))).toEqual([])
      expect(plans.filter((detail) => detail.endsWith('SCAN audit_event'))).toEqual([])
    })
})
