import { isMany } from '#src/domain/field-schema.ts'
import * as fc from 'fast-check'
import { DATE_TIMES, DATES, NUMBERS, TEXTS, VARIANTS } from '#test/support/random-world.ts'
import type { OracleSort, OracleTag, World } from '#test/support/oracle.ts'

type Filter = Record<string, unknown>
interface Field {
  /** `Tag.field`, the tag by name or id. */
  key: string
  tag_id: string
  name: string
  type: string
  variants: readonly string[]
}

const PATTERNS = [
  'a',
  '^a',
  'b$',
  '[0-9]+',
  '^$',
  '(?i)ö',
  'o.*n',
  '(a|O)',
  '\\.',
  '%',
  '^.$',
  'n{2}',
  '[^a-z]',
  '😀|"',
]
const REFERENCES = ['Reference', 'MultiReference']
const UNKNOWN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** Valid filters over a world: every key and operator, operands of right and wrong types, traversals, nesting. */
export function filterArbitrary(world: World): fc.Arbitrary<Filter> {
  const fields = world.tags.flatMap((tag) => fieldsOf(tag, world))
  const references = fields.filter(({ type }) => REFERENCES.includes(type)).map(({ key }) => key)
  const tags = world.tags.flatMap(({ tag_id, name }) => [name, tag_id, tag_id.toLowerCase()])
  const terminal = fc.oneof(
    { weight: 8, arbitrary: terminalArbitrary(world, fields, tags) },
    { weight: 1, arbitrary: ownArbitrary(world) },
  )
  const hops = fc.oneof(
    { weight: 5, arbitrary: fc.constant<string[]>([]) },
    ...pathsByLength(world, fields).map((paths) => ({ weight: 1, arbitrary: fc.constantFrom(...paths) })),
    {
      weight: 1,
      arbitrary: references.length
        ? fc.array(fc.constantFrom(...references), { minLength: 1, maxLength: 5 })
        : fc.constant([]),
    },
  )
  const leaf = fc.oneof(
    { weight: 1, arbitrary: fc.record({ search: searchArbitrary }) },
    {
      weight: 9,
      arbitrary: fc
        .tuple(hops, terminal)
        .map(([path, [key, value]]) => ({ [[...path, key].join('->')]: value })),
    },
  )
  const referring = fc.constantFrom(
    ...fields.filter(({ type }) => type === 'Reference' || type === 'MultiReference').map(({ key }) => key),
  )
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => {
    const several = fc.array(tie('filter'), { minLength: 2, maxLength: 4 })
    return {
      filter: fc.oneof(
        { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
        { weight: 4, arbitrary: leaf },
        { weight: 1, arbitrary: fc.record({ and: several }) },
        { weight: 1, arbitrary: fc.record({ or: several }) },
        { weight: 1, arbitrary: fc.record({ not: tie('filter') }) },
        {
          weight: references.length ? 1 : 0,
          arbitrary: fc.tuple(referring, reverseValue(leaf)).map(reverse),
        },
      ),
    }
  })
  return filter
}

const COLUMNS = ['created_at', 'updated_at', 'name']

const reverse = ([key, value]: [string, unknown]): Filter => ({ [`<-${key}`]: value })

/** For referring items: few hops, so that no path has too many. */
function reverseValue(leaf: fc.Arbitrary<Filter>): fc.Arbitrary<unknown> {
  const near = leaf.filter((each) => Object.keys(each)[0]!.split('->').length < 5)
  const filter = fc.oneof(
    { weight: 4, arbitrary: near },
    { weight: 1, arbitrary: near.map((each) => ({ not: each })) },
    { weight: 1, arbitrary: fc.tuple(near, near).map((both) => ({ or: both })) },
  )
  const count = fc
    .tuple(fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), fc.nat(3))
    .map(([operator, n]) => ({ [operator]: n }))
  return fc.oneof(filter, fc.record({ filter, count }), fc.record({ count }), fc.record({ filter }))
}

/** Up to three keys that items can be sorted by. */
export function sortArbitrary(world: World): fc.Arbitrary<OracleSort[]> {
  const fields = world.tags.flatMap((tag) => fieldsOf(tag, world)).filter(({ type }) => !isMany(type))
  const key = fc.record({
    by: fc.oneof(fc.constantFrom(...COLUMNS), fc.constantFrom(...fields.map((each) => each.key))),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  })
  return fc.array(key, { maxLength: 3 })
}

const text = fc.constantFrom<string>(...TEXTS)
/** A stretch of a text, mostly short, in any case. */
const textPart = fc
  .tuple(text, fc.nat(6), fc.nat(8), fc.constantFrom('', 'upper', 'lower'))
  .map(([whole, from, length, letters]) => {
    const part = Array.from(whole)
      .slice(from, from + length)
      .join('')
    return letters === 'upper' ? part.toUpperCase() : letters === 'lower' ? part.toLowerCase() : part
  })
const searchArbitrary = fc.oneof(
  textPart,
  fc.record({
    text: fc.array(textPart, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
    in: fc.uniqueArray(fc.constantFrom('name', 'description', 'values'), { minLength: 1 }),
    match: fc.constantFrom('phrase', 'words'),
  }),
)
/** From the oracle's now to the dates of the world, and to the times at which it was made. */
const relative = fc.constantFrom(
  { today: 0 },
  { today: 1 },
  { today: -60 },
  { today: 702 },
  { now: 'PT0H' },
  { now: '-PT6H' },
  { now: 'P1D' },
  { now: 'P702DT9H' },
)
const number = fc.constantFrom<number>(...NUMBERS)
const variant = fc.constantFrom<string>(...VARIANTS)
const scalar = fc.oneof(text, number, fc.boolean(), variant)

function terminalArbitrary(world: World, fields: readonly Field[], tags: readonly string[]) {
  const tag = fc.constantFrom(...tags)
  const unknown = tag.map((name): Field => ({
    key: `${name}.no such field`,
    tag_id: '',
    name,
    type: 'String',
    variants: [],
  }))
  const byType = [...Map.groupBy(fields, ({ type }) => type).values()]
  const field = fc.oneof(
    { weight: 30, arbitrary: fc.oneof(...byType.map((each) => fc.constantFrom(...each))) },
    { weight: 1, arbitrary: unknown },
  )
  const column = fc.constantFrom('name', 'description')
  return fc.oneof(
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constant('has_tag'),
        fc.oneof(
          tag,
          tag.map((name) => ({ name: { eq: name } })),
          tag.map((id) => ({ id, exact: true })),
          tag.map((id) => ({ id })),
          fc.constant(null),
        ),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(column, testArbitrary(text, 'String')) },
    {
      weight: 6,
      arbitrary: field.chain((each) =>
        fc.tuple(fc.constant(each.key), testArbitrary(operandOf(each, world), each.type)),
      ),
    },
  ) as fc.Arbitrary<[string, unknown]>
}

/** Tests of what every item has: its id and its times. */
function ownArbitrary({ items, known }: World): fc.Arbitrary<[string, unknown]> {
  const id = fc.constantFrom(...known, ...items.map(({ item_id }) => item_id.toLowerCase()), UNKNOWN_ID)
  const time = fc
    .tuple(
      fc.constantFrom(...items.flatMap(({ created_at, updated_at }) => [created_at, updated_at])),
      fc.constantFrom<(text: string) => string>(
        (text) => text,
        (text) => text.slice(0, 10),
        (text) => text.slice(0, 19),
        (text) => text.replace('Z', '+00:00'),
        (text) => text.replace('Z', '-01:30'),
      ),
    )
    .map(([text, spelled]): unknown => spelled(text))
  return fc.oneof(
    fc.tuple(fc.constant('id'), testArbitrary(id, 'Id')),
    fc.tuple(fc.constantFrom('created_at', 'updated_at'), testArbitrary(fc.oneof(time, relative), 'Time')),
    fc.tuple(fc.constant('changed_between'), betweenArbitrary(items)),
  )
}

/** Two times, the earlier one first, around those of events. */
function betweenArbitrary(items: World['items']): fc.Arbitrary<unknown> {
  const events = items.flatMap((item) => item.events)
  const near = fc
    .tuple(fc.constantFrom(...events), fc.constantFrom(-1, 0, 1))
    .map(([event, ms]) => new Date(Date.parse(event) + ms).toISOString())
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(near, near).map((times) => times.toSorted()) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom({ today: -60 }, '2024-02-29'), near) },
    { weight: 1, arbitrary: fc.tuple(near, fc.constantFrom('9999-12-31', { now: 'P7020D' })) },
  )
}

/** Values as the field has them. */
function operandOf({ type, variants, tag_id, name }: Field, world: World): fc.Arbitrary<unknown> {
  const { known } = world
  const ids = [...known]
  const own = variants.length ? fc.oneof(fc.constantFrom(...variants), variant) : variant
  switch (type) {
    case 'Number':
      return number
    case 'Boolean':
      return fc.boolean()
    case 'Date':
      return fc.oneof(
        fc.constantFrom(...DATES),
        fc.constantFrom(...DATES.map((day) => `${day}T00:00:00`)),
        text,
        relative,
      )
    case 'DateTime':
      return fc.oneof(fc.constantFrom(...DATE_TIMES), fc.constantFrom(...DATES), text, relative)
    case 'MultiReference': {
      const id = fc.constantFrom(...ids, ...ids.map((each) => each.toLowerCase()), UNKNOWN_ID)
      const chosen = world.items.flatMap(({ data }) => {
        const value = data[tag_id]?.field_values[name]
        return Array.isArray(value) && value.every(isText) ? [value] : []
      })
      return fc.oneof(id, fc.array(id, { maxLength: 2 }), fc.constantFrom([], ...chosen))
    }
    case 'Reference':
      return fc.constantFrom(...ids, ...ids.map((id) => id.toLowerCase()), UNKNOWN_ID)
    case 'File': {
      const names = world.items.flatMap(({ data }) =>
        [data[tag_id]?.field_values[name] ?? []].flat().map((each) => (each as { name?: string }).name ?? ''),
      )
      return fc.oneof(text, fc.constantFrom('', ...names))
    }
    case 'Select':
      return fc.oneof(
        own,
        own.map((name) => ({ variant: name })),
      )
    case 'MultiSelect':
      return fc.oneof(own, fc.array(own, { maxLength: 3 }))
    default:
      return fc.oneof(text, fc.constantFrom(...ids))
  }
}

function testArbitrary(suited: fc.Arbitrary<unknown>, type: string): fc.Arbitrary<unknown> {
  const operand = fc.oneof(
    { weight: 5, arbitrary: suited },
    { weight: 1, arbitrary: fc.oneof(scalar, relative) },
  )
  const value = fc.oneof(
    { weight: 10, arbitrary: operand },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: variant.map((name) => ({ variant: name })) },
    { weight: 1, arbitrary: fc.array(variant, { maxLength: 2 }) },
  )
  const simple = <T>(
    arbitrary: fc.Arbitrary<unknown>,
    accepts: (value: unknown) => value is T,
    otherwise: fc.Arbitrary<T>,
  ) => fc.tuple(arbitrary, otherwise).map(([wanted, other]) => (accepts(wanted) ? wanted : other))
  const ordered = simple(operand, isOrdered, text)
  const word = simple(operand, isText, variant)
  const list = fc.array(fc.oneof(simple(operand, isElement, text), fc.constant(null)), { maxLength: 4 })
  const operands: Record<string, fc.Arbitrary<unknown>> = {
    eq: value,
    neq: value,
    gt: ordered,
    gte: ordered,
    lt: ordered,
    lte: ordered,
    select_gt: word,
    select_gte: word,
    select_lt: word,
    select_lte: word,
    match: word,
    regex: fc.constantFrom(...PATTERNS),
    matches: fc.constantFrom(...PATTERNS),
    contains: textPart,
    starts_with: textPart,
    ends_with: textPart,
    in: list,
    exists: fc.boolean(),
    is_null: fc.boolean(),
    dangling: fc.boolean(),
    outdated: fc.boolean(),
  }
  const among = (names: readonly string[]) =>
    fc.oneof(...names.map((name) => operands[name]!.map((each) => ({ [name]: each }))))
  const bare = fc.oneof(simple(operand, isScalar, text), fc.constant(null))
  return fc.oneof(
    { weight: 1, arbitrary: bare },
    { weight: 6, arbitrary: among(OPERATORS[type] ?? ALWAYS) },
    { weight: 1, arbitrary: among(Object.keys(operands)) },
  )
}

const ALWAYS = ['eq', 'neq', 'in', 'exists', 'is_null']
const OF_FIELDS = [...ALWAYS, 'outdated']
const ORDER = ['gt', 'gte', 'lt', 'lte']
/** What applies to a type. */
const OPERATORS: Record<string, readonly string[]> = {
  String: [...OF_FIELDS, ...ORDER, 'regex', 'matches', 'contains', 'starts_with', 'ends_with'],
  Number: [...OF_FIELDS, ...ORDER],
  Date: [...OF_FIELDS, ...ORDER],
  DateTime: [...OF_FIELDS, ...ORDER],
  Select: [...OF_FIELDS, ...ORDER, ...ORDER.map((each) => `select_${each}`), 'match'],
  MultiSelect: [...OF_FIELDS, 'match'],
  Reference: [...OF_FIELDS, 'dangling'],
  MultiReference: [...OF_FIELDS, 'match', 'dangling'],
  File: ['eq', 'outdated', 'exists', 'is_null', 'regex', 'matches', 'contains', 'starts_with', 'ends_with'],
  Id: ['eq', 'neq', 'in'],
  Time: ['eq', 'neq', ...ORDER],
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isOrdered = (value: unknown): value is unknown =>
  isTextOrNumber(value) ||
  (typeof value === 'object' && value !== null && ('today' in value || 'now' in value))
const isTextOrNumber = (value: unknown): value is string | number =>
  isText(value) || typeof value === 'number'
const isScalar = (value: unknown): value is string | number | boolean =>
  isTextOrNumber(value) || typeof value === 'boolean'
const isElement = (value: unknown): value is unknown => !Array.isArray(value)

const MAX_PATHS = 200

/** Chains of References that lead from some item to another, of one hop, of two, … */
function pathsByLength({ items }: World, fields: readonly Field[]): string[][][] {
  const references = fields.filter(({ type }) => REFERENCES.includes(type))
  const edges = items.flatMap(({ item_id, data }) =>
    references.flatMap(({ key, tag_id, name }) =>
      [data[tag_id]?.field_values[name]].flat().map((to) => ({ key, from: item_id, to })),
    ),
  )
  const edgesFrom = Map.groupBy(edges, ({ from }) => from)
  let paths = edges.map(({ key, to }) => ({ keys: [key], to }))
  const byLength: string[][][] = []
  for (let length = 1; length <= 5; length++) {
    const living = paths.filter(({ to }) => edgesFrom.has(String(to)))
    const step = Math.max(1, Math.floor(living.length / MAX_PATHS))
    paths = living.filter((_, i) => i % step === 0)
    if (!paths.length) break
    byLength.push(paths.map(({ keys }) => keys))
    paths = paths.flatMap(({ keys, to }) =>
      edgesFrom.get(String(to))!.map((edge) => ({ keys: [...keys, edge.key], to: edge.to })),
    )
  }
  return byLength
}

/** By the tag's id and by its name, unless that is the id of another, which wins. */
/** Each field of a tag, sub-fields too, as a filter names it. */
export const keysOf = ({ tag_id, fields }: OracleTag): string[] =>
  flat(fields).map(([field]) => `${tag_id}.${field}`)

function fieldsOf({ tag_id, name, fields }: OracleTag, { tags }: World): Field[] {
  const references = tags.some((other) => other.tag_id === name) ? [tag_id] : [name, tag_id]
  return flat(fields).flatMap(([field, type, variants]) =>
    references.map((reference) => ({ key: `${reference}.${field}`, tag_id, name: field, type, variants })),
  )
}

function flat(fields: Record<string, unknown>): [name: string, type: string, variants: string[]][] {
  return Object.entries(fields).flatMap(([name, schema]) => {
    if (typeof schema === 'string') return [[name, schema, []]]
    const { type, variants } = schema as {
      type: string
      variants: (string | { name: string; fields?: Record<string, unknown> })[]
    }
    const names = variants.map((each) => (typeof each === 'string' ? each : each.name))
    const below = variants.flatMap((each) => (typeof each === 'object' ? flat(each.fields ?? {}) : []))
    return [[name, type, names], ...below]
  })
}
