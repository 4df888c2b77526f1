import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceError } from '#src/domain/errors.ts'
import { checkFilter, readFilter } from '#src/filter/meaning/read-filter.ts'
import { ignoringCase } from '#src/filter/meaning/ignoring-case.ts'
import { planOfLasting } from '#src/filter/meaning/lasting-filter.ts'
import { conditionsOf, fieldsOf } from '#src/filter/meaning/filter-conditions.ts'
import { isRelative, namedFields } from '#src/filter/meaning/named-fields.ts'
import { filterWords } from '#src/filter/words/filter-words.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { openBase } from '#test/support/base.ts'

const UNKNOWN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const FIELDS = {
  title: 'String',
  effort: 'Number',
  done: 'Boolean',
  due: 'Date',
  owner: 'Reference',
  status: { type: 'Select', variants: ['open', { name: 'closed', fields: { closed_by: 'Reference' } }] },
  labels: { type: 'MultiSelect', variants: ['home', 'work'] },
  starts: 'DateTime',
  people: 'MultiReference',
  papers: 'File',
}

const TIME = { now: new Date('2026-01-31T23:30:00.000Z'), time_zone: 'Europe/Vienna' }
let base: Awaited<ReturnType<typeof openBase>>
/** Ids by the names that are in the cases. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  base = await openBase()
  const add = async (name: string, fields: object, extended: string[] = []) => {
    const { tag_id } = await base.run(createTag, { name, fields: { ...fields }, extends: extended })
    ids[name] = tag_id
    return tag_id
  }
  await add('Task', FIELDS)
  await add('Chore', { 'who else': 'Reference' }, ['Task'])
  await add('v1.0 notes', { text: 'String' })
  await add(ids.Task!, { text: 'String' }) // named like the id of another
  await base.run(deleteTag, { tag_id: await add('Gone', { text: 'String' }) })
})
afterAll(() => base.close())

const check = (filter: unknown) => checkFilter(filter, tagCatalog({ db: base.db, ...TIME }))

describe('checkFilter refuses', () => {
  const notReference = "'->' must follow a Reference field, and"
  for (const { filter, message, suggestion } of [
    { filter: { has_tag: 'Tsk' }, message: "Tag 'Tsk' not found", suggestion: "Did you mean 'Task'?" },
    { filter: { has_tag: { name: { eq: 'X' } } }, message: "Tag 'X' not found" },
    { filter: { has_tag: 'Gone' }, message: "Tag 'Gone' not found" },
    { filter: { 'task.effort': 1 }, message: "Tag 'task' not found", suggestion: "Did you mean 'Task'?" },
    {
      filter: { '01ARZ3NDEKTSV4RRFFQ69G5FAV.effort': 1 },
      message: "Tag '01ARZ3NDEKTSV4RRFFQ69G5FAV' not found",
    },
    { filter: { 'v2.0 notes.text': 1 }, message: "Invalid dot-notation: 'v2.0 notes.text'" },
    { filter: { 'Task.a.b': 1 }, message: "Invalid dot-notation: 'Task.a.b'" },
    { filter: { 'Task.owner->X.y': 1 }, message: "Tag 'X' not found" },
    { filter: { 'Task.owner->Task.a.b': 1 }, message: "Invalid dot-notation: 'Task.owner->Task.a.b'" },
    { filter: { 'Task.effort->name': 'x' }, message: `${notReference} 'Task.effort' is a Number` },
    {
      filter: { 'Task.owne->name': 'x' },
      message: `${notReference} 'Task' has no field 'owne'`,
      suggestion: "Did you mean 'Task.owner'?",
    },
    { filter: { 'Task.owner->Task.title->name': 'x' }, message: `${notReference} 'Task.title' is a String` },
  ])
    it(JSON.stringify(filter), async () => {
      const { faults, filter: bound } = await check(filter)
      expect(bound).toBeUndefined()
      expect(faults).toMatchObject([{ message, ...(suggestion && { suggestion }) }])
    })

  it('faults of structure and of names together, at the path where the filter is', async () => {
    const filter = { and: [{ has_tag: 'X' }, { 'Task.effort': { gt: true } }, { 'Y.z': 1 }] }
    const error: ServiceError = await readFilter(
      filter,
      tagCatalog({ db: base.db, ...TIME }),
      'items[0].filter',
    ).catch((each) => each)
    expect(error).toMatchObject({
      code: 'BadRequest',
      message: "'gt' requires a number, string, or date (and 2 more, see details.errors)",
      details: {
        errors: [
          {
            path: 'items[0].filter.and[1].Task.effort.gt',
            message: "'gt' requires a number, string, or date",
          },
          { path: 'items[0].filter.and[0].has_tag', message: "Tag 'X' not found" },
          { path: 'items[0].filter.and[2].Y.z', message: "Tag 'Y' not found" },
        ],
      },
    })
  })

  it('suggests what was meant for ten faults, and no more', async () => {
    const { faults } = await check({ or: Array.from({ length: 12 }, () => ({ has_tag: 'Tsk' })) })
    expect(faults.map(({ suggestion }) => suggestion !== undefined)).toEqual(
      Array.from({ length: 12 }, (_, i) => i < 10),
    )
  })

  it('with the message alone where there is one fault', async () => {
    const error: ServiceError = await readFilter(
      { has_tag: 'Chor' },
      tagCatalog({ db: base.db, ...TIME }),
    ).catch((each) => each)
    expect(error.message).toBe("Tag 'Chor' not found")
    expect(error.suggestion).toBe("Did you mean 'Chore'?")
  })
})

describe('checkFilter takes null for the question whether there is a value', () => {
  const subjects = [...Object.keys(FIELDS).map((field) => `Task.${field}`), 'Task.closed_by', 'description']
  it.each(subjects)('of %s', async (subject) => {
    for (const [operator, exists] of [
      ['eq', false],
      ['neq', true],
    ] as const) {
      const asked = await check({ [subject]: { [operator]: null } })
      const plain = await check({ [subject]: { exists } })
      expect([asked.warnings, asked.plan]).toEqual([[], plain.plan])
    }
  })
})

describe('checkFilter warns that', () => {
  for (const { filter, warning, plan } of [
    {
      filter: { 'Task.starts': { gt: 'soon' } },
      warning: '"soon" is no date, date-time or timestamp, so Task.starts never equals or compares with it',
      plan: 'never',
    },
    {
      filter: { 'Task.people': { in: [UNKNOWN_ID] } },
      warning: `No item has the id "${UNKNOWN_ID}"`,
      plan: 'never',
    },
    {
      filter: { 'Task.people': { gt: 'a' } },
      warning:
        "'gt' does not apply to Task.people, which is a MultiReference, so it matches nothing; these apply: eq, neq, match, in, exists, is_null, dangling, outdated",
      plan: 'never',
    },
    {
      filter: { 'Task.efort': 1 },
      warning: "Tag 'Task' has no field 'efort', so it is null on every item; did you mean 'Task.effort'?",
      plan: 'never',
    },
    {
      filter: { 'Task.zzz': { exists: false } },
      warning: "Tag 'Task' has no field 'zzz', so it is null on every item",
      plan: 'always',
    },
    {
      filter: { 'Task.zzz': { neq: true } },
      warning: "Tag 'Task' has no field 'zzz', so it is null on every item",
      plan: 'never',
    },
    {
      filter: { 'Task.effort': { contains: '1' } },
      warning:
        "'contains' does not apply to Task.effort, which is a Number, so it matches nothing; these apply: eq, neq, gt, gte, lt, lte, in, exists, is_null, outdated",
      plan: 'never',
    },
    {
      filter: { 'Task.done': { gt: 1 } },
      warning:
        "'gt' does not apply to Task.done, which is a Boolean, so it matches nothing; these apply: eq, neq, in, exists, is_null, outdated",
      plan: 'never',
    },
    {
      filter: { name: { match: 'x' } },
      warning:
        "'match' does not apply to name, which is a text, so it matches nothing; these apply: eq, neq, gt, gte, lt, lte, regex, matches, contains, starts_with, ends_with, in, exists, is_null",
      plan: 'never',
    },
    {
      filter: { 'Task.effort': 'x' },
      warning: 'Task.effort is a Number and never equals or compares with "x"',
      plan: 'never',
    },
    {
      filter: { 'Task.effort': { neq: 'x' } },
      warning: 'Task.effort is a Number and never equals or compares with "x"',
      plan: 'field',
    },
    {
      filter: { 'Task.done': { neq: 'x' } },
      warning: 'Task.done is a Boolean and never equals or compares with "x"',
      plan: 'always',
    },
    {
      filter: { 'Task.status': 'opn' },
      warning: 'Task.status has no variant "opn"; it has: "open", "closed"',
      plan: 'field',
    },
    {
      filter: { 'Task.status': { gt: 'opn' } },
      warning: 'Task.status has no variant "opn"; it has: "open", "closed"',
      plan: 'never',
    },
    {
      filter: { 'Task.labels': { match: 'wrk' } },
      warning: 'Task.labels has no variant "wrk"; it has: "home", "work"',
      plan: 'field',
    },
    {
      filter: { 'Task.due': { lt: '2024-02-30' } },
      warning: '"2024-02-30" is not a date, so Task.due is compared with it as text',
      plan: 'field',
    },
    {
      filter: { id: { contains: '01' } },
      warning:
        "'contains' does not apply to id, which is an id, so it matches nothing; these apply: eq, neq, in",
      plan: 'never',
    },
    {
      filter: { created_at: { exists: false } },
      warning:
        "'exists' does not apply to created_at, which is a time, so it matches nothing; these apply: eq, neq, gt, gte, lt, lte",
      plan: 'never',
    },
    {
      filter: { updated_at: { gt: 'yesterday' } },
      warning:
        '"yesterday" is no date, date-time or timestamp, so updated_at never equals or compares with it',
      plan: 'never',
    },
    {
      filter: { 'Task.effort': { lt: { today: 0 } } },
      warning: 'Task.effort is a Number and never equals or compares with today',
      plan: 'never',
    },
    {
      filter: { name: { neq: { now: 'P1D' } } },
      warning: 'name is a text and never equals or compares with P1D from now',
      plan: 'always',
    },
    { filter: { id: 'x' }, warning: 'No item has the id "x"', plan: 'never' },
    { filter: { id: 7 }, warning: 'id is an id and never equals or compares with 7', plan: 'never' },
    {
      filter: { 'Task.owner': '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
      warning: 'No item has the id "01ARZ3NDEKTSV4RRFFQ69G5FAV"',
      plan: 'never',
    },
  ])
    it(warning, async () => {
      const checked = await check(filter)
      expect(checked.warnings).toEqual([warning])
      expect(checked.plan?.kind).toBe(plan)
    })

  it('nothing of what fits', async () => {
    const filter = {
      and: [{ 'Task.closed_by': { exists: true } }, { 'Task.status': { gte: 'open' } }, { 'Task.due': null }],
    }
    expect((await check(filter)).warnings).toEqual([])
  })
})

describe('checkFilter plans', () => {
  for (const { filter, plan } of [
    { filter: { search: '' }, plan: { kind: 'always' } },
    { filter: { search: 'ÉΣ' }, plan: { kind: 'search', text: 'eσ' } },
    { filter: { name: { exists: true } }, plan: { kind: 'always' } },
    { filter: { name: null }, plan: { kind: 'never' } },
    {
      filter: { not: { not: { name: 'x' } } },
      plan: { kind: 'text', test: { test: 'one_of', values: ['x'] } },
    },
    { filter: { or: [{ name: 'x' }, { search: '' }] }, plan: { kind: 'always' } },
    { filter: { and: [{ name: 'x' }, { 'Task.effort': { in: [] } }] }, plan: { kind: 'never' } },
    { filter: { and: [{ search: '' }, { name: 'x' }] }, plan: { kind: 'text' } },
    {
      filter: { and: [{ name: 'x' }, { and: [{ name: 'y' }, { name: 'z' }] }] },
      plan: { kind: 'and', children: [{}, {}, {}] },
    },
    {
      filter: { or: [{ 'Task.effort': 1 }, { name: 'x' }, { 'Task.effort': { in: [2, 1] } }] },
      plan: { kind: 'or', children: [{ test: { test: 'one_of', values: [1, 2] } }, { kind: 'text' }] },
    },
    { filter: { or: [{ 'Task.effort': 1 }, { 'Task.effort': 2 }] }, plan: { kind: 'field' } },
    { filter: { 'Task.status': { gt: 'open' } }, plan: { test: { test: 'one_of', values: ['closed'] } } },
    { filter: { 'Task.status': { select_gt: 'closed' } }, plan: { kind: 'never' } },
    {
      filter: { 'Task.due': '2024-02-29' },
      plan: { test: { values: ['2024-02-29', '2024-02-29T00:00:00'] } },
    },
    {
      filter: { 'Task.due': { gt: '2024-02-29' } },
      plan: { test: { test: 'range', except: ['2024-02-29T00:00:00'] } },
    },
    {
      filter: { 'Task.due': { gte: '2024-02-29T00:00:00' } },
      plan: { test: { test: 'range', also: ['2024-02-29'] } },
    },
    {
      filter: { 'Task.starts': '2024-02-29T01:00+02:00' },
      plan: { test: { values: ['2024-02-28T23:00:00.000Z'] } },
    },
    { filter: { 'Task.starts': '2024-02-29T01:00:00.0001Z' }, plan: { kind: 'never' } },
    {
      filter: { 'Task.starts': { lt: '2024-02-29T01:00:00.0001Z' } },
      plan: { test: { test: 'range', upper: { value: '2024-02-29T01:00:00.001Z', inclusive: false } } },
    },
    {
      filter: { 'Task.starts': { gt: '2024-02-29' } },
      plan: { test: { test: 'range', lower: { value: '2024-02-29T00:00:00.000Z', inclusive: false } } },
    },
    { filter: { 'Task.starts': { gt: 'soon' } }, plan: { kind: 'never' } },
    { filter: { 'Task.starts': { neq: 'soon' } }, plan: { test: { test: 'present' } } },
    { filter: { 'Task.people': { match: UNKNOWN_ID } }, plan: { kind: 'never' } },
    { filter: { 'Task.people': { eq: [] } }, plan: { test: { test: 'same_set', values: [] } } },
    { filter: { 'Task.people': { neq: UNKNOWN_ID } }, plan: { test: { test: 'present' } } },
    { filter: { name: '2024-02-29' }, plan: { test: { values: ['2024-02-29'] } } },
    {
      filter: { 'Task.done': { neq: true } },
      plan: { test: { test: 'none_of', values: [1], or_absent: true } },
    },
    { filter: { 'Task.labels': ['work', 'home', 'work'] }, plan: undefined },
    {
      filter: { 'Task.labels': { eq: ['work', 'work'] } },
      plan: { test: { test: 'same_set', values: ['work'] } },
    },
    { filter: { 'Task.labels': 'work' }, plan: { test: { test: 'same_set', values: ['work'] } } },
    { filter: { 'Task.owner->Task.effort': { in: [] } }, plan: { kind: 'never' } },
    {
      filter: { 'Task.due': { gt: { today: -1 } } },
      plan: { test: { test: 'range', except: ['2026-01-31T00:00:00'] } },
    },
    {
      filter: { 'Task.due': { in: [{ today: 0 }] } },
      plan: { test: { values: ['2026-02-01', '2026-02-01T00:00:00'] } },
    },
    {
      filter: { created_at: { gte: { today: 0 } } },
      plan: { test: { lower: { value: '2026-01-31T23:00:00.000Z' } } },
    },
    {
      filter: { updated_at: { lt: { now: '-PT6H' } } },
      plan: { test: { upper: { value: '2026-01-31T17:30:00.000Z' } } },
    },
    { filter: { id: null }, plan: { kind: 'never' } },
    { filter: { id: { neq: null } }, plan: { kind: 'always' } },
    {
      filter: { created_at: { gt: '2026-01-31T10:30:00.0005+01:00' } },
      plan: {
        column: 'created_at',
        test: { lower: { value: '2026-01-31T09:30:00.000Z', inclusive: false } },
      },
    },
    {
      filter: { created_at: { gte: '2026-01-31T09:30:00.0005Z' } },
      plan: { test: { lower: { value: '2026-01-31T09:30:00.001Z', inclusive: true } } },
    },
    { filter: { created_at: '2026-01-31T09:30:00.0005Z' }, plan: { kind: 'never' } },
    { filter: { updated_at: '2026-01-31' }, plan: { test: { values: ['2026-01-31T00:00:00.000Z'] } } },
    {
      filter: { updated_at: { lt: '9999-12-31T23:59:59-01:00' } },
      plan: { test: { upper: { value: '~' } } },
    },
    {
      filter: { updated_at: { lte: '9999-12-31T23:59:59.999Z' } },
      plan: { test: { upper: { value: '9999-12-31T23:59:59.999Z' } } },
    },
    {
      filter: { created_at: { gte: '0000-01-01T00:00:00Z' } },
      plan: { test: { lower: { value: '0000-01-01T00:00:00.000Z' } } },
    },
    {
      filter: { created_at: { gte: '0000-01-01T00:00:00+01:00' } },
      plan: { test: { lower: { value: '' } } },
    },
  ])
    it(JSON.stringify(filter), async () => {
      const checked = await check(filter)
      if (plan) expect(checked.plan).toMatchObject(plan)
      else expect(checked.plan).toBeUndefined()
    })
})

describe('resolvedFilter', () => {
  it('puts ids in place of names and leaves the rest as it was given', async () => {
    const filter = {
      and: [
        { has_tag: { name: { eq: 'Task' } } },
        { not: { 'Task.status': { eq: { variant: 'open' } } } },
        { or: [{ 'Task.owner->Chore.who else->name': { contains: 'x' } }, { 'v1.0 notes.text': 'a' }] },
        { name: 'x' },
        { search: 'Y' },
        { 'Task.due': { in: [{ today: 0 }, '2026-01-01'] } },
        { 'Task.owner->has_tag': 'Chore' },
      ],
    }
    const resolved = resolvedFilter((await check(filter)).filter!)
    expect(resolved).toEqual({
      and: [
        { has_tag: ids.Task },
        { not: { [`${ids.Task}.status`]: { eq: { variant: 'open' } } } },
        {
          or: [
            { [`${ids.Task}.owner->${ids.Chore}.who else->name`]: { contains: 'x' } },
            { [`${ids['v1.0 notes']}.text`]: 'a' },
          ],
        },
        { name: 'x' },
        { search: 'Y' },
        { [`${ids.Task}.due`]: { in: [{ today: 0 }, '2026-01-01'] } },
        { [`${ids.Task}.owner->has_tag`]: ids.Chore },
      ],
    })
    expect(resolvedFilter((await check(resolved)).filter!)).toEqual(resolved)
  })

  it('takes an id, in any case, before a tag that is named like it', async () => {
    for (const tag of [ids.Task!, ids.Task!.toLowerCase()])
      expect(resolvedFilter((await check({ has_tag: tag })).filter!)).toEqual({ has_tag: ids.Task })
  })
})

describe('planOfLasting', () => {
  const planned = (filter: unknown) => planOfLasting(filter, tagCatalog({ db: base.db, ...TIME }))

  it('is true of nothing for what is broken, and as ever for the rest', async () => {
    const broken = { has_tag: 'Gone' }
    expect(await planned(broken)).toEqual({ kind: 'never' })
    expect(await planned({ not: broken })).toEqual({ kind: 'always' })
    expect(await planned({ or: [broken, { name: 'x' }] })).toMatchObject({ kind: 'text' })
    expect(await planned({ and: [broken, { name: 'x' }] })).toEqual({ kind: 'never' })
    expect(await planned({ '<-Task.owner': { or: [broken, { name: 'x' }] } })).toMatchObject({
      kind: 'referred',
      filter: { kind: 'text' },
    })
    expect(await planned({ '<-Task.owner': broken })).toEqual({ kind: 'never' })
    const counted = { '<-Task.owner': { count: { gte: 2 } } }
    expect(await planned({ or: [broken, counted] })).toMatchObject({ kind: 'referred', min: 2 })
    expect(await planned({ '<-Task.title': { name: 'x' } })).toEqual({ kind: 'never' })
    expect(await planned({ nothing: { at: 'all' } })).toEqual({ kind: 'never' })
  })
})

describe('ignoringCase', () => {
  const pattern = async (filter: unknown) => ignoringCase((await check(filter)).plan!)

  it.each([
    [{ name: 'x.y' }, String.raw`(?i)^(?:x\.y)$`],
    [{ name: { in: ['x', 'y'] } }, '(?i)^(?:x|y)$'],
    [{ 'Task.title': { contains: '(x)' } }, String.raw`(?i)\(x\)`],
    [{ 'Task.title': { starts_with: 'x' } }, '(?i)^x'],
    [{ name: { regex: '^x' } }, '(?i)^x'],
  ])('%j is %s', async (filter, wanted) => {
    expect(await pattern(filter)).toMatchObject({ test: { test: 'regex', pattern: wanted } })
  })

  it('goes along references, and says nothing of what has no case', async () => {
    expect(await pattern({ 'Task.owner->name': 'x' })).toMatchObject({
      kind: 'hop',
      target: { test: { pattern: '(?i)^(?:x)$' } },
    })
    for (const filter of [
      { 'Task.effort': 1 },
      { 'Task.effort': { gt: 1 } },
      { has_tag: 'Task' },
      { search: 'x' },
    ])
      expect(await pattern(filter)).toBeUndefined()
    // Longer than a pattern may be.
    expect(await pattern({ name: { contains: 'x'.repeat(100_000) } })).toBeUndefined()
  })
})

describe('what a filter names', () => {
  const bound = async (filter: unknown) => (await check(filter)).filter!

  it('is listed with its types, in its order', async () => {
    const filter = {
      and: [
        { or: [{ 'Task.effort': 1 }, { not: { 'Task.zzz': 1 } }] },
        { 'Task.owner->Task.due': { exists: true } },
        { '<-Task.people': { 'Task.done': true } },
        { name: 'x' },
      ],
    }
    expect(namedFields(await bound(filter)).map(({ path, type }) => `${path} ${type}`)).toEqual([
      'Task.effort Number',
      'Task.zzz ',
      'Task.owner Reference',
      'Task.due Date',
      'Task.people MultiReference',
      'Task.done Boolean',
    ])
  })

  it('is nothing of what refers where that is only counted', async () => {
    const [one] = conditionsOf(await bound({ '<-Task.people': { count: { gte: 2 } } }))
    expect(fieldsOf(one!.leaf)).toEqual([])
  })

  it.each([
    [{ name: 'x' }, false],
    [{ has_tag: 'Task' }, false],
    [{ 'Task.due': '2026-01-31' }, false],
    [{ 'Task.due': { gt: '2026-01-31' } }, false],
    [{ 'Task.due': { eq: { today: 0 } } }, true],
    [{ 'Task.due': { gt: { today: 0 } } }, true],
    [{ created_at: { gt: { now: 'PT0S' } } }, true],
    [{ and: [{ name: 'x' }, { 'Task.due': { gt: { today: 0 } } }] }, true],
    [{ or: [{ name: 'x' }, { 'Task.due': { gt: { today: 0 } } }] }, true],
    [{ or: [{ name: 'x' }, { name: 'y' }] }, false],
    [{ not: { 'Task.due': { gt: { today: 0 } } } }, true],
    [{ 'Task.owner->Task.due': { lte: { today: 0 } } }, true],
    [{ 'Task.owner->Task.due': '2026-01-31' }, false],
    [{ '<-Task.owner': { 'Task.due': { lte: { today: 0 } } } }, true],
    [{ '<-Task.owner': { name: 'x' } }, false],
    [{ '<-Task.owner': { count: { gte: 2 } } }, false],
    [{ changed_between: ['2026-01-01', '2026-01-31'] }, true],
  ])('%j says another time tomorrow: %j', async (filter, relative) => {
    expect(isRelative(await bound(filter))).toBe(relative)
  })
})

describe('filterWords', () => {
  for (const { filter, words } of [
    { filter: { search: 'x' }, words: 'name or description contains "x" in any case' },
    { filter: { has_tag: 'Chore' }, words: 'has the tag Chore' },
    { filter: { has_tag: 'Task' }, words: 'has the tag Task or the tag that extends it' },
    { filter: { 'Task.effort': { gte: 3 } }, words: 'Task.effort is at least 3' },
    { filter: { 'Task.due': { lt: '2026-01-01' } }, words: 'Task.due is before "2026-01-01"' },
    { filter: { 'Task.status': { gt: 'open' } }, words: 'Task.status comes after "open"' },
    { filter: { name: { gt: 'm' } }, words: 'name sorts after "m"' },
    {
      filter: { 'Task.labels': { in: ['home', 'work'] } },
      words: 'Task.labels includes one of "home", "work"',
    },
    {
      filter: { 'Task.labels': { eq: ['home', 'work'] } },
      words: 'Task.labels is exactly "home" and "work"',
    },
    { filter: { 'Task.labels': { eq: [] } }, words: 'Task.labels is exactly the empty set' },
    { filter: { 'Task.starts': { gte: '2026-01-01' } }, words: 'Task.starts is on or after "2026-01-01"' },
    {
      filter: { 'Task.people': { in: [UNKNOWN_ID] } },
      words: `Task.people includes one of "${UNKNOWN_ID}"`,
    },
    { filter: { 'Task.people': { match: UNKNOWN_ID } }, words: `Task.people includes "${UNKNOWN_ID}"` },
    { filter: { 'Task.people': UNKNOWN_ID }, words: `Task.people is exactly "${UNKNOWN_ID}"` },
    {
      filter: { 'Task.people->Task.people->name': 'x' },
      words: 'Task.people refers to an item whose Task.people refers to an item whose name is "x"',
    },
    { filter: { 'Task.status': { match: 'open' } }, words: 'Task.status is "open"' },
    { filter: { 'Task.done': { neq: true } }, words: 'Task.done is not true or has no value' },
    { filter: { 'Task.title': { neq: 'a' } }, words: 'Task.title has a value other than "a"' },
    { filter: { description: { regex: '^a' } }, words: 'description matches the regular expression "^a"' },
    { filter: { 'Task.due': null }, words: 'Task.due has no value' },
    { filter: { 'Task.due': { lte: { today: 7 } } }, words: 'Task.due is on or before 7 days after today' },
    { filter: { id: { in: ['x', 'y'] } }, words: 'id is one of "x", "y"' },
    { filter: { created_at: { gte: '2026-01-31' } }, words: 'created_at is on or after "2026-01-31"' },
    {
      filter: { 'Task.owner->Task.owner->Task.effort': 1 },
      words: 'Task.owner refers to an item whose Task.owner refers to an item whose Task.effort is 1',
    },
    {
      filter: { 'Task.owner->has_tag': 'Chore' },
      words: 'Task.owner refers to an item that has the tag Chore',
    },
    {
      filter: {
        and: [{ name: 'a' }, { or: [{ name: 'b' }, { not: { and: [{ name: 'c' }, { name: 'd' }] } }] }],
      },
      words: 'name is "a" and (name is "b" or not (name is "c" and name is "d"))',
    },
  ])
    it(words, async () => expect(filterWords((await check(filter)).filter!)).toBe(words))
})
