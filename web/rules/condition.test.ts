import { describe, expect, test } from 'vitest'
import { OPERATORS } from '#src/filter/language/operators.ts'
import {
  choiceOf,
  operatorChoices,
  readCondition,
  readTest,
  subjectKind,
  type SubjectType,
  writeCondition,
} from '#web/rules/condition.ts'
import { filterMeaning, partWords } from '#web/rules/filter-meaning.ts'
import { fieldChoices } from '#web/rules/filter-fields.ts'
import { readJson } from '#web/rules/json-places.ts'
import { sayDate, sayMoment } from '#web/rules/say-time.ts'

const PERSON = '01JJXZ5T7GQ3M8K4B9R2C6D0AA'
const TAGS = [
  {
    tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0BB',
    name: 'Task',
    fields: {
      status: { type: 'Select', variants: ['open', { name: 'done', fields: { finished_on: 'Date' } }] },
      assignee: { type: 'Reference', of: [PERSON] },
      done: { type: 'Number', format: 'percent' },
      price: { type: 'Number', unit: '€', unit_at: 'before' },
      effort: 'Number',
      due: 'Date',
      seen: 'DateTime',
    },
    extends: [],
  },
  { tag_id: PERSON, name: 'Person', fields: { team: 'String' }, extends: [] },
]

describe('conditions', () => {
  test.each([
    { 'Task.status': 'open' },
    { not: { 'Task.assignee->Person.team': { contains: 'x' } } },
    { '<-Task.assignee': { 'Task.status': 'open' } },
    { has_tag: null },
    { search: { text: 'a', in: ['name'] } },
  ])('are taken apart and put together: %j', (filter) => {
    expect(writeCondition(readCondition(filter)!)).toEqual(filter)
  })

  test('are not what joins others', () => {
    for (const filter of [{ and: [] }, { not: { or: [] } }, {}, { a: 1, b: 2 }])
      expect(readCondition(filter)).toBeNull()
  })

  test('know what they are about', () => {
    expect(subjectKind('Task.finished_on', TAGS)).toMatchObject({ kind: 'value', type: 'Date' })
    expect(subjectKind('<-Task.assignee', TAGS)).toMatchObject({ kind: 'reverse' })
    expect(subjectKind('created_at', TAGS)).toMatchObject({ kind: 'value', type: 'Time' })
    expect(subjectKind('Task.gone', TAGS)).toEqual({ kind: 'unknown' })
  })

  test('offer each operator of each type, in words of its own', () => {
    const types = [
      ...new Set(Object.values(OPERATORS).flatMap(({ appliesTo }) => appliesTo)),
    ] as SubjectType[]
    for (const type of types)
      for (const [name, { appliesTo, operand }] of Object.entries(OPERATORS)) {
        if (!(appliesTo as readonly string[]).includes(type)) continue
        const value = operand.accepts('x') ? 'x' : operand.accepts(true) ? true : ['x']
        expect(choiceOf({ operator: name as 'eq', operand: value }, type), `${name} of ${type}`).toBeDefined()
      }
    expect(operatorChoices('Select').map(({ words }) => words)).toContain('is or comes after')
    expect(choiceOf(readTest(null)!, 'Date')).toMatchObject({ words: 'has no value', count: 'none' })
  })

  test('are reported as by the service', async () => {
    const filter = {
      and: [{ 'Task.assignee->Person.team': 'Moon' }, { not: { 'Task.status': { match: 'done' } } }],
    }
    expect((await filterMeaning(filter, TAGS)).words).toBe(
      'Task.assignee refers to an item whose Person.team is "Moon" and not (Task.status is "done")',
    )
    expect((await filterMeaning({ 'Tsak.status': 'open' }, TAGS)).faults[0]).toMatchObject({
      message: "Tag 'Tsak' not found",
      suggestion: "Did you mean 'Task'?",
    })
    expect(await partWords({ has_tag: 'Gone' }, TAGS)).toBeUndefined()
  })

  test.each([
    [{ 'Task.done': { gt: 0.255 } }, 'Task.done is greater than 25.5%'],
    [{ 'Task.done': { in: [0.07, 1] } }, 'Task.done is one of 7%, 100%'],
    [{ not: { 'Task.price': 12.5 } }, 'not (Task.price is €\u00A012.5)'],
    [{ '<-Task.assignee': { 'Task.price': { neq: 3 } } }, /a value other than €\u00A03\)/],
    [{ 'Task.effort': { lte: 1234.5 } }, 'Task.effort is at most 1234.5'],
    [{ 'Task.done': { exists: false } }, 'Task.done has no value'],
  ])('say numbers as cells show them: %j', async (filter, words) => {
    const { words: whole } = await filterMeaning(filter, TAGS)
    expect(whole).toMatch(words)
    expect(await partWords(filter, TAGS)).toBe(whole)
  })

  test.each([
    [{ 'Task.due': { gte: '2026-03-01' } }, `Task.due is on or after ${sayDate('2026-03-01')}`],
    [
      { 'Task.due': { in: ['2026-03-01', '0099-12-31'] } },
      `is one of ${sayDate('2026-03-01')}, ${sayDate('0099-12-31')}`,
    ],
    [{ 'Task.due': { lt: { today: 3 } } }, /is before 3 days after today$/],
    [{ 'Task.due': { eq: '2026-02-30' } }, /is "2026-02-30"$/],
    [{ 'Task.seen': { gt: '2026-03-01T12:30:00Z' } }, `is after ${sayMoment('2026-03-01T12:30:00Z')}`],
    [{ 'Task.seen': { gt: '2026-03-01T12:30:00.250Z' } }, /is after "2026-03-01T12:30:00.250Z"$/],
    [{ 'Task.seen': { gt: '2026-03-01' } }, `is after ${sayDate('2026-03-01')}`],
    [
      { created_at: { lte: '2026-03-01T12:30Z' } },
      `created_at is on or before ${sayMoment('2026-03-01T12:30Z')}`,
    ],
  ])('say days and moments as cells show them: %j', async (filter, words) => {
    const { words: whole } = await filterMeaning(filter, TAGS)
    expect(whole).toMatch(words)
  })

  test('begin with a field; those that are meant come first', () => {
    const choices = fieldChoices(TAGS, [PERSON], { behind: true }).map(({ subject }) => subject)
    expect(choices).not.toContain('search')
    expect(choices.indexOf('Person.team')).toBeLessThan(choices.indexOf('Task.status'))
    expect(choices).toContain('<-Task.assignee')
  })

  test('are somewhere in their JSON', () => {
    const text = '{\n  "and": [{"name": "a"}, {"Task.due": {"gtt": 1}}]\n}'
    const { places } = readJson(text)
    const { from, to } = places!.get('filter.and[1].Task.due.gtt')!
    expect(text.slice(from, to)).toBe('"gtt": 1')
    expect(readJson('{"a": ').fault).toMatch(/no JSON yet/)
    expect(readJson('[]').fault).toMatch(/object/)
  })
})
