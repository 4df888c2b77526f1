import type { FieldType } from '#src/domain/field-schema.ts'
import type { BoundField, FilterPlan, SearchPart, ValueTest } from '#src/filter/meaning/plan.ts'

// Plans of every kind with tests of every kind, written by hand: what statements they become needs no base.

/** Longer than what an index of PostgreSQL holds of a text. */
export const LONG = 'é'.repeat(600)

const field = (id: number, type: FieldType, variants: readonly string[] = []): BoundField => ({
  id,
  name: `${type} ${id}`,
  type,
  variants,
  tag: 7,
  tag_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  tag_name: 'Task',
})
export const FIELDS = {
  text: field(11, 'String'),
  number: field(12, 'Number'),
  done: field(13, 'Boolean'),
  due: field(14, 'Date'),
  starts: field(15, 'DateTime'),
  kind: field(16, 'Select', ['new', 'begun', 'done']),
  long_kind: field(17, 'Select', ['new', LONG]),
  labels: field(18, 'MultiSelect', ['home', 'work']),
  next: field(19, 'Reference'),
  people: field(20, 'MultiReference'),
  file: field(21, 'File'),
  no_kind: field(22, 'Select'),
  wide_kind: field(
    23,
    'Select',
    Array.from({ length: 1000 }, (_, i) => `v${i}`),
  ),
  wider_kind: field(
    24,
    'Select',
    Array.from({ length: 1001 }, (_, i) => `v${i}`),
  ),
}

export const ALWAYS: FilterPlan = { kind: 'always' }
export const NEVER: FilterPlan = { kind: 'never' }
export const and = (...children: FilterPlan[]): FilterPlan => ({ kind: 'and', children })
export const or = (...children: FilterPlan[]): FilterPlan => ({ kind: 'or', children })
export const not = (child: FilterPlan): FilterPlan => ({ kind: 'not', child })
export const of = (field: BoundField, test: ValueTest): FilterPlan => ({ kind: 'field', field, test })
export const name = (test: ValueTest): FilterPlan => ({ kind: 'text', column: 'name', test })
export const hop = (target: FilterPlan, field = FIELDS.next): FilterPlan => ({ kind: 'hop', field, target })
export const referred = (filter: FilterPlan, min = 1, max?: number): FilterPlan => ({
  kind: 'referred',
  field: FIELDS.next,
  filter,
  min,
  ...(max !== undefined && { max }),
})
export const search = (text: string, part?: SearchPart): FilterPlan => ({
  kind: 'search',
  text,
  ...(part && { part }),
})
export const tags = (...ids: number[]): FilterPlan => ({ kind: 'has_tag', tags: ids })
export const values = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)
export const several = (count: number, of: (i: number) => FilterPlan): FilterPlan[] =>
  values(count).map((i) => of(i))

export const present: ValueTest = { test: 'present' }
export const absent: ValueTest = { test: 'absent' }
export const oneOf = (...given: (string | number)[]): ValueTest => ({ test: 'one_of', values: given })
export const noneOf = (or_absent: boolean, ...given: (string | number)[]): ValueTest => ({
  test: 'none_of',
  values: given,
  or_absent,
})
const bound = (value: string | number, inclusive: boolean) => ({ value, inclusive })
export const from = (value: string | number): ValueTest => ({ test: 'range', lower: bound(value, true) })
export const after = (value: string | number): ValueTest => ({ test: 'range', lower: bound(value, false) })
export const upTo = (value: string | number): ValueTest => ({ test: 'range', upper: bound(value, true) })
export const before = (value: string | number): ValueTest => ({ test: 'range', upper: bound(value, false) })
export const between = (lower: string | number, upper: string | number): ValueTest => ({
  test: 'range',
  lower: bound(lower, true),
  upper: bound(upper, false),
})
export const sameSet = (negated: boolean, ...given: (string | number)[]): ValueTest => ({
  test: 'same_set',
  values: given,
  negated,
})
const MIDNIGHT = { ...from('2024-01-01T00:00:00'), also: ['2024-01-01'] } as ValueTest
const NO_MIDNIGHT = { ...after('2024-01-01'), except: ['2024-01-01T00:00:00'] } as ValueTest

const TEXT_TESTS: Record<string, ValueTest> = {
  'one of one': oneOf('a'),
  'one of two': oneOf('a', 'b'),
  'one of eight': oneOf(...values(8).map(String)),
  'one of nine': oneOf(...values(9).map(String)),
  'one of one long': oneOf(LONG),
  'one of two long': oneOf(LONG, `${LONG}x`, 'a'),
  'none of': noneOf(false, 'a', 'b'),
  'none of long': noneOf(false, LONG),
  from: from('a'),
  'from long': from(LONG),
  'from long, or another': { ...from(LONG), also: ['b'] } as ValueTest,
  after: after('a'),
  'up to': upTo('b'),
  before: before('b'),
  'before long': before(LONG),
  between: between('a', 'b'),
  'a midnight': MIDNIGHT,
  'no midnight': NO_MIDNIGHT,
  beginning: { test: 'prefix', text: 'a' },
  'beginning, long': { test: 'prefix', text: LONG },
  'beginning with the last character': { test: 'prefix', text: 'a\u{10ffff}' },
  part: { test: 'substring', text: 'a' },
}

const fieldTests = (tests: Record<string, ValueTest>, field: BoundField) =>
  Object.entries(tests).map(([named, test]): [string, FilterPlan] => [
    `${field.name}: ${named}`,
    of(field, test),
  ])

const ofColumn = (column: 'name' | 'description' | 'created_at', tests: Record<string, ValueTest>) =>
  Object.entries(tests).map(([named, test]): [string, FilterPlan] => [
    `${column}: ${named}`,
    { kind: 'text', column, test },
  ])

/** Leaves and combinations of every kind. */
export const PLANS: ReadonlyMap<string, FilterPlan> = new Map<string, FilterPlan>([
  ['always', ALWAYS],
  ['never', NEVER],
  ...ofColumn('name', TEXT_TESTS),
  ...ofColumn('description', {
    present,
    absent,
    one: oneOf('a'),
    none: noneOf(false, 'a'),
    part: { test: 'substring', text: 'a' },
  }),
  ...ofColumn('created_at', { from: from('2024'), one: oneOf('2024'), absent }),
  ...fieldTests({ ...TEXT_TESTS, present, absent }, FIELDS.text),
  ...fieldTests(
    {
      one: oneOf(1),
      two: oneOf(1, 2),
      none: noneOf(false, 1),
      between: between(1, 3),
      after: after(1),
      misfit: { test: 'misfit' },
    },
    FIELDS.number,
  ),
  ...fieldTests({ 'none or absent': noneOf(true, 1), one: oneOf(1) }, FIELDS.done),
  ...fieldTests({ 'a midnight': MIDNIGHT, 'no midnight': NO_MIDNIGHT }, FIELDS.due),
  ...fieldTests({ misfit: { test: 'misfit', variants: ['new'] }, one: oneOf('new') }, FIELDS.kind),
  ...fieldTests({ misfit: { test: 'misfit', variants: ['new', LONG] }, one: oneOf(LONG) }, FIELDS.long_kind),
  ...fieldTests(
    {
      present,
      one: oneOf('home'),
      two: oneOf('home', 'work'),
      'the same set': sameSet(false, 'home', 'work'),
      'another set': sameSet(true, 'home'),
      'the empty set': sameSet(false),
      'not the empty set': sameSet(true),
    },
    FIELDS.labels,
  ),
  ...fieldTests(
    {
      one: oneOf(5),
      dangling: { test: 'dangling', dangling: true },
      'not dangling': { test: 'dangling', dangling: false },
      'dangling among some': { test: 'dangling', dangling: true, among: name(oneOf('a')) },
    },
    FIELDS.next,
  ),
  ...fieldTests({ one: oneOf(5), between: between(5, 6), absent }, FIELDS.people),
  ...fieldTests({ one: oneOf('a.pdf'), long: oneOf(LONG) }, FIELDS.file),
  ['a tag', tags(7)],
  ['two tags', tags(7, 8)],
  ['eight tags', tags(...values(8))],
  ['nine tags', tags(...values(9))],
  ['some tag', { kind: 'tagged' }],
  ['items', { kind: 'items', items: [3, 4] }],
  ['ids', { kind: 'id', items: [3, 4] }],
  ['changed', { kind: 'changed', from: '01', before: '02' }],
  ['a text', search('abc')],
  ['a short text', search('ab')],
  ['a long text', search('abcdefghijklmnop')],
  ['a text in the name', search('abc', 'name')],
  ['a text in the description', search('abc', 'description')],
  ['a whole name', search('abc', 'whole_name')],
  ['a whole long name', search(LONG, 'whole_name')],
  ['the start of a name', search('a😀', 'name_start')],
  ['the start of a word', search('abc', 'word_start')],
  ['the start of a word, short', search('a', 'word_start')],
  ['a text, some not folded', { kind: 'search', text: 'abc', except: { after: 3, upTo: 9 } }],
  [
    'a name, some not folded',
    { kind: 'search', text: 'abc', part: 'name_start', except: { after: 3, upTo: 9 } },
  ],
  ['a short text, some not folded', { kind: 'search', text: 'ab', except: { after: 3, upTo: 9 } }],
  ['a text, some waiting', { kind: 'search', text: 'abc', waiting: true }],
  ['a name, some waiting', { kind: 'search', text: 'abc', part: 'whole_name', waiting: true }],
  ['the start of a name, some waiting', { kind: 'search', text: 'abc', part: 'name_start', waiting: true }],
  [
    'a text, some waiting, some not folded',
    { kind: 'search', text: 'abc', part: 'name', except: { after: 3, upTo: 9 }, waiting: true },
  ],
  ['a short text, some waiting', { kind: 'search', text: 'ab', waiting: true }],
  ['a hop to a name', hop(name(oneOf('a')))],
  ['a hop to one of two names', hop(name(oneOf('a', 'b')))],
  ['a hop to one of two long names', hop(name(oneOf(LONG, `${LONG}x`)))],
  ['a hop to a description', hop({ kind: 'text', column: 'description', test: oneOf('a') })],
  ['a hop to a value', hop(of(FIELDS.number, oneOf(1)))],
  ['a hop to no value', hop(of(FIELDS.number, absent))],
  ['a hop to none of some', hop(of(FIELDS.done, noneOf(true, 1)))],
  ['a hop to none of some that there are', hop(of(FIELDS.done, noneOf(false, 1)))],
  ['a hop to a part', hop(of(FIELDS.text, { test: 'substring', text: 'a' }))],
  ['a hop to a tag', hop(tags(7))],
  ['a hop to any tag', hop({ kind: 'tagged' })],
  ['a hop to a text', hop(search('abc'))],
  ['a hop to an item', hop({ kind: 'id', items: [3] })],
  ['a hop to a list', hop({ kind: 'items', items: [3] })],
  ['a hop to whatever', hop(ALWAYS)],
  ['a hop to nothing', hop(NEVER)],
  ['a hop to not', hop(not(tags(7)))],
  ['a hop to what changed', hop({ kind: 'changed', from: '01', before: '02' })],
  ['a hop to what is referred to', hop(referred(ALWAYS))],
  ['two hops', hop(hop(of(FIELDS.number, oneOf(1))))],
  ['a hop to several', hop(of(FIELDS.number, oneOf(1)), FIELDS.people)],
  ['a hop to several that nothing drives', hop(of(FIELDS.number, absent), FIELDS.people)],
  ['referred to', referred(ALWAYS)],
  ['referred to by a value', referred(of(FIELDS.number, oneOf(1)))],
  ['referred to by a name', referred(name(oneOf('a')))],
  ['referred to by a name or a value', referred(or(name(oneOf('a')), of(FIELDS.number, oneOf(1))))],
  ['referred to by three', referred(of(FIELDS.number, oneOf(1)), 3)],
  ['referred to by exactly one', referred(of(FIELDS.number, oneOf(1)), 1, 1)],
  ['referred to by two to four', referred(ALWAYS, 2, 4)],
  ['referred to by what is referred to', referred(referred(name(oneOf('a'))))],
  ['referred to by what hops', referred(hop(name(oneOf('a'))))],
  ['and', and(name(oneOf('a')), of(FIELDS.number, oneOf(1)))],
  ['and of what has no order', and(of(FIELDS.number, after(1)), of(FIELDS.text, after('a')))],
  ['and, the second in order', and(of(FIELDS.number, after(1)), tags(7))],
  ['and of what nothing drives', and(of(FIELDS.number, absent), not(tags(7)))],
  ['or', or(name(oneOf('a')), of(FIELDS.number, oneOf(1)))],
  ['or with what nothing drives', or(name(oneOf('a')), of(FIELDS.number, absent))],
  ['or of and', or(tags(7), and(of(FIELDS.number, after(1)), tags(8)))],
  ['not', not(tags(7))],
  ['not of and', not(and(tags(7), of(FIELDS.number, absent)))],
  [
    'sixty-four alternatives',
    or(...several(32, (i) => tags(i)), ...several(32, (i) => of(FIELDS.number, oneOf(i)))),
  ],
  [
    'sixty-five alternatives',
    or(...several(32, (i) => tags(i)), ...several(33, (i) => of(FIELDS.number, oneOf(i)))),
  ],
  ['eight alternatives', or(...several(8, (i) => of(FIELDS.number, oneOf(i))))],
  ['nine alternatives', or(...several(9, (i) => of(FIELDS.number, oneOf(i))))],
  ['nine alternatives of one of several values', or(...several(9, (i) => of(FIELDS.labels, oneOf(`${i}`))))],
  ['nine of one of several values', and(...several(9, (i) => of(FIELDS.labels, oneOf(`${i}`))))],
  ['nine of one value', and(...several(9, (i) => of(FIELDS.text, noneOf(false, `${i}`))))],
  ['nine ranges', and(...several(9, (i) => of(FIELDS.text, after(`${i}`))))],
  ['nine beginnings', or(...several(9, (i) => of(FIELDS.text, { test: 'prefix', text: `${i}` })))],
  ['nine parts', or(...several(9, (i) => of(FIELDS.text, { test: 'substring', text: `${i}` })))],
  ['nine parts and one', or(...several(9, (i) => of(FIELDS.text, oneOf(`${i}`))), of(FIELDS.text, present))],
  ['nine texts', or(...several(9, (i) => search(`text ${i}`)))],
  [
    'nine texts, one not folded',
    or(...several(8, (i) => search(`text ${i}`)), {
      kind: 'search',
      text: 'abc',
      except: { after: 3, upTo: 9 },
    }),
  ],
  ['all of nine texts', and(...several(9, (i) => search(`text ${i}`)))],
  ['none of nine', and(...several(9, (i) => not(of(FIELDS.number, oneOf(i)))))],
  ['not all of nine', or(...several(9, (i) => not(of(FIELDS.number, oneOf(i)))))],
  ['nine hops', or(...several(9, (i) => hop(of(FIELDS.number, oneOf(i)))))],
  ['all of nine hops', and(...several(9, (i) => hop(of(FIELDS.number, oneOf(i)))))],
  ['all of nine hops to several', and(...several(9, (i) => hop(of(FIELDS.number, oneOf(i)), FIELDS.people)))],
  [
    'nine, two of a field',
    or(of(FIELDS.text, oneOf('a')), of(FIELDS.text, after('b')), ...several(7, (i) => tags(i))),
  ],
  ['nine of nine kinds', or(...several(9, (i) => (i % 2 ? tags(i) : name(oneOf(`${i}`)))))],
])
