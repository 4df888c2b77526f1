import { isFound, type SearchedItem } from '#test/support/oracle-search.ts'

/**
 * What a filter means, evaluated in memory item by item from its JSON, the tags' schemas and the items' values as the
 * API gives them. Written from the specification alone: it shares no code with the filters of the service. It knows
 * valid filters only.
 */
export interface World {
  /** Tags that are not deleted. */
  tags: readonly OracleTag[]
  /** Items that are not deleted. */
  items: readonly OracleItem[]
  /** Ids of all items that ever were. */
  known: ReadonlySet<string>
}

export interface OracleTag {
  tag_id: string
  name: string
  fields: Record<string, unknown>
  extends: readonly string[]
}

export interface OracleItem {
  item_id: string
  created_at: string
  updated_at: string
  name: string
  description: string | null
  /** When each of its own events happened. */
  events: readonly string[]
  data: Record<string, { field_values: Record<string, unknown> }>
}

export interface OracleSort {
  by: string
  direction: 'asc' | 'desc'
}

/** When filters are asked, in UTC. */
export const ORACLE_NOW = '2024-02-29T00:00:00.000Z'

type Json = unknown
type JsonObject = Record<string, Json>

/** Ids of the items that satisfy the filter, in the order in which the world has them. */
export function oracleSearch(world: World, filter: JsonObject): string[] {
  return world.items.filter((item) => holds(world, filter, item)).map(({ item_id }) => item_id)
}

/** Whether an item satisfies the filter, also one that is not, or not any more, in the world. */
export const oracleHolds = (world: World, filter: JsonObject, item: OracleItem): boolean =>
  holds(world, filter, item)

/** Items in the order of the keys; what has no value comes last; ties by id in the direction of the last key. */
export function oracleSort(world: World, ids: readonly string[], sort: readonly OracleSort[]): string[] {
  const ranked = ids.map((item_id) => {
    const item = itemOf(world, item_id)!
    return { item_id, values: sort.map(({ by }) => sortValue(world, by, item)) }
  })
  const last = sort.at(-1)?.direction === 'desc' ? -1 : 1
  ranked.sort((a, b) => {
    for (const [i, { direction }] of sort.entries()) {
      const [left, right] = [a.values[i] ?? null, b.values[i] ?? null]
      if (left === null || right === null) {
        if (left !== right) return left === null ? 1 : -1
        continue
      }
      const difference = typeof left === 'number' ? left - Number(right) : byCodePoint(left, String(right))
      if (difference) return direction === 'desc' ? -difference : difference
    }
    return last * byCodePoint(a.item_id, b.item_id)
  })
  return ranked.map(({ item_id }) => item_id)
}

function sortValue(world: World, by: string, item: OracleItem): string | number | null {
  if (by === 'name' || by === 'created_at' || by === 'updated_at') return item[by]
  const { schema, stored } = lookUp(world, by, item)
  if (!schema || stored === null || stored === undefined || !fits(schema, stored, world)) return null
  if (schema.type === 'Boolean') return stored ? 1 : 0
  if (schema.type === 'DateTime') return instant(stored as string)
  if (schema.type !== 'Select') return stored as string | number
  const position = schema.variants!.indexOf((stored as { variant: string }).variant)
  return position < 0 ? null : position
}

const byId = new WeakMap<World, ReadonlyMap<string, OracleItem>>()

function itemOf(world: World, item_id: string): OracleItem | undefined {
  let found = byId.get(world)
  if (!found) {
    found = new Map(world.items.map((item) => [item.item_id, item]))
    byId.set(world, found)
  }
  return found.get(item_id)
}

function holds(world: World, filter: JsonObject, item: OracleItem): boolean {
  const [key, value] = Object.entries(filter)[0]!
  if (key === 'and') return (value as JsonObject[]).every((each) => holds(world, each, item))
  if (key === 'or') return (value as JsonObject[]).some((each) => holds(world, each, item))
  if (key === 'not') return !holds(world, value as JsonObject, item)
  if (key === 'search') return isFound(searchedOf(world, item), value as string)
  return walk(world, key.split('->'), value, item)
}

/** Of values that fit their type: texts and variants. */
function searchedOf(world: World, item: OracleItem): SearchedItem {
  const values = () =>
    world.tags.flatMap((tag) =>
      Object.entries(item.data[tag.tag_id]?.field_values ?? {}).flatMap(([name, stored]) => {
        const schema = findSchema(tag.fields, name)
        if (!schema || stored === null || !fits(schema, stored, world)) return []
        if (schema.type === 'String') return [stored as string]
        if (schema.type === 'Select') return [(stored as { variant: string }).variant]
        return schema.type === 'MultiSelect' ? (stored as string[]) : []
      }),
    )
  return { ...item, values }
}

/** Left to right: each segment but the last loads the referenced item. */
function walk(world: World, [segment, ...rest]: string[], value: Json, item: OracleItem): boolean {
  if (rest.length) {
    const { schema, stored } = lookUp(world, segment!, item)
    if (!schema || stored === null || stored === undefined || !fits(schema, stored, world)) return false
    return [stored].flat().some((id) => {
      const target = itemOf(world, (id as string).toUpperCase())
      return target !== undefined && walk(world, rest, value, target)
    })
  }
  if (segment!.startsWith('<-')) return referred(world, segment!.slice(2), value as JsonObject, item)
  if (segment === 'has_tag' && value === null) return Object.keys(item.data).length === 0
  if (segment === 'has_tag' && Object.hasOwn(value as object, 'id')) {
    const { id, exact } = value as { id: string; exact?: boolean }
    const wanted = findTag(world, id)!
    return Object.keys(item.data).some((tag_id) =>
      exact ? tag_id === wanted.tag_id : reaches(world, tag_id, wanted.tag_id),
    )
  }
  if (segment === 'has_tag') {
    const name = typeof value === 'string' ? value : (value as { name: { eq: string } }).name.eq
    const wanted = findTag(world, name)!
    return Object.keys(item.data).some((tag_id) => reaches(world, tag_id, wanted.tag_id))
  }
  if (segment === 'changed_between') {
    const [from, before] = (value as Json[]).map((time) =>
      exactTime(absolute(time, ORACLE_NOW.length) as string),
    ) as [number, number]
    return item.events.some((event) => Date.parse(event) >= from && Date.parse(event) < before)
  }
  if (segment === 'name' || segment === 'description')
    return test(value, { type: 'Text' }, item[segment], world)
  if (segment === 'id') return testId(value, item)
  if (segment === 'created_at' || segment === 'updated_at') return testTime(value, item[segment])
  const { schema, stored } = lookUp(world, segment!, item)
  const [operator, operand] = operation(value)
  if (operator === 'outdated')
    return (
      schema !== null &&
      stored !== null &&
      stored !== undefined &&
      isOutdated(world, segment!, item) === operand
    )
  return test(value, schema, stored, world)
}

/** A value that its field cannot take, or of a sub-field none of whose variants is chosen. */
function isOutdated(world: World, segment: string, item: OracleItem): boolean {
  const { schema, stored } = lookUp(world, segment, item)
  if (!fits(schema!, stored, world)) return true
  const names =
    schema!.type === 'Select'
      ? [(stored as { variant: string }).variant]
      : schema!.type === 'MultiSelect'
        ? (stored as string[])
        : []
  if (names.some((name) => !schema!.variants!.includes(name))) return true
  const tag = findTag(world, segment.slice(0, segment.lastIndexOf('.')))!
  const values = item.data[tag.tag_id]!.field_values
  return !isChosen(tag.fields, segment.slice(segment.lastIndexOf('.') + 1), values)
}

/** Whether the field is one at the top, or below a variant that is chosen, at any depth. */
function isChosen(fields: JsonObject, wanted: string, values: JsonObject): boolean {
  return Object.entries(fields).some(([name, schema]) => {
    if (name === wanted) return true
    const { variants } = (typeof schema === 'string' ? {} : schema) as {
      variants?: (string | { name: string; fields?: JsonObject })[]
    }
    const stored = Object.hasOwn(values, name) ? (values[name] as { variant?: Json } | null) : null
    return (variants ?? []).some(
      (each) =>
        typeof each === 'object' &&
        each.fields &&
        stored?.variant === each.name &&
        isChosen(each.fields, wanted, values),
    )
  })
}

const idsIn = (stored: Json): string[] => [stored].flat().map((id) => (id as string).toUpperCase())

const byTarget = new WeakMap<World, Map<string, Map<string, OracleItem[]>>>()

/** The items that refer by a field, by the id of what they refer to. */
function referrers(world: World, key: string): Map<string, OracleItem[]> {
  const known = byTarget.get(world) ?? new Map<string, Map<string, OracleItem[]>>()
  byTarget.set(world, known)
  let found = known.get(key)
  if (found) return found
  known.set(key, (found = new Map()))
  for (const other of world.items) {
    const { schema, stored } = lookUp(world, key, other)
    if (!schema || stored === null || stored === undefined || !fits(schema, stored, world)) continue
    for (const id of new Set(idsIn(stored))) found.set(id, [...(found.get(id) ?? []), other])
  }
  return found
}

/** How many living items refer to it by the field and satisfy the filter, beside how many are wanted. */
function referred(world: World, key: string, value: JsonObject, item: OracleItem): boolean {
  const isForm = 'filter' in value || 'count' in value
  const filter = (isForm ? value.filter : value) as JsonObject | undefined
  const [operator, wanted] = Object.entries((isForm && value.count) || { gte: 1 })[0] as [string, number]
  const referring = referrers(world, key).get(item.item_id) ?? []
  const count = filter ? referring.filter((other) => holds(world, filter, other)).length : referring.length
  switch (operator) {
    case 'eq':
      return count === wanted
    case 'neq':
      return count !== wanted
    case 'gt':
      return count > wanted
    case 'gte':
      return count >= wanted
    case 'lt':
      return count < wanted
    default:
      return count <= wanted
  }
}

/** An item has an id and times always, and they know few operators. */
function testId(value: Json, { item_id }: OracleItem): boolean {
  const [operator, operand] = operation(value)
  const is = (other: Json) => typeof other === 'string' && other.toUpperCase() === item_id
  if (operator === 'eq') return is(operand)
  if (operator === 'neq') return !is(operand)
  return operator === 'in' && (operand as Json[]).some(is)
}

function testTime(value: Json, stored: string): boolean {
  const [operator, written] = operation(value)
  const operand = absolute(written, ORACLE_NOW.length)
  const at = typeof operand === 'string' ? exactTime(operand) : null
  if (operator === 'eq') return at === Date.parse(stored)
  if (operator === 'neq') return at !== Date.parse(stored)
  if (at === null) return false
  const difference = Date.parse(stored) - at
  if (operator === 'gt') return difference > 0
  if (operator === 'gte') return difference >= 0
  if (operator === 'lt') return difference < 0
  return operator === 'lte' && difference <= 0
}

/** Milliseconds; without an offset in UTC. Null where the text is no date, date-time or timestamp. */
function exactTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)) return null
  const day = text.slice(0, 10)
  if (Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day) return null
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) || text.length === 10 ? text : `${text}Z`)
}

const operation = (value: Json): [operator: string, operand: Json] =>
  typeof value === 'object' && value !== null ? Object.entries(value)[0]! : ['eq', value]

/** A relative operand as the time that it stands for: of a whole day the date, else down to this many characters. */
function absolute(operand: Json, length: number): Json {
  if (Array.isArray(operand)) return operand.map((each) => absolute(each, length))
  if (typeof operand !== 'object' || operand === null) return operand
  const { today, now } = operand as { today?: number; now?: string }
  if (today === undefined && now === undefined) return operand
  const at = new Date(ORACLE_NOW)
  if (today !== undefined) at.setUTCDate(at.getUTCDate() + today)
  const [, sign, days, hours] = /^(-?)P(?:(\d+)D)?(?:T(\d+)H)?$/.exec(now ?? 'P0D')!
  at.setUTCHours(at.getUTCHours() + (Number(days ?? 0) * 24 + Number(hours ?? 0)) * (sign ? -1 : 1))
  return at.toISOString().slice(0, today === undefined ? length : 'YYYY-MM-DD'.length)
}

function reaches(world: World, from: string, to: string): boolean {
  if (from === to) return true
  const tag = world.tags.find(({ tag_id }) => tag_id === from)
  return tag !== undefined && tag.extends.some((base) => reaches(world, base, to))
}

const findTag = ({ tags }: World, reference: string): OracleTag | undefined =>
  tags.find(({ tag_id }) => tag_id === reference.toUpperCase()) ?? tags.find(({ name }) => name === reference)

interface Schema {
  type: string
  variants?: string[]
}

function lookUp(world: World, segment: string, item: OracleItem): { schema: Schema | null; stored: Json } {
  const dot = segment.lastIndexOf('.')
  const tag = findTag(world, segment.slice(0, dot))!
  const name = segment.slice(dot + 1)
  const schema = findSchema(tag.fields, name)
  const values = item.data[tag.tag_id]?.field_values ?? {}
  return { schema, stored: schema && Object.hasOwn(values, name) ? values[name] : null }
}

/** Also among the sub-fields of variants, at any depth. */
function findSchema(fields: JsonObject, wanted: string): Schema | null {
  for (const [name, schema] of Object.entries(fields)) {
    const { type, variants } = (typeof schema === 'string' ? { type: schema } : schema) as {
      type: string
      variants?: (string | { name: string; fields?: JsonObject })[]
    }
    if (name === wanted)
      return { type, variants: variants?.map((each) => (typeof each === 'string' ? each : each.name)) ?? [] }
    for (const variant of variants ?? [])
      if (typeof variant === 'object' && variant.fields) {
        const found = findSchema(variant.fields, wanted)
        if (found) return found
      }
  }
  return null
}

/** Characters of the times that are compared with values of a type. */
const TIMES: Record<string, number> = { Date: 19, String: 19, DateTime: 24 }

/** `schema` is null for a field that the tag does not have. */
function test(value: Json, schema: Schema | null, stored: Json, world: World): boolean {
  const [operator, written] = operation(value)
  const operand = schema?.type && schema.type in TIMES ? absolute(written, TIMES[schema.type]!) : written
  const has = stored !== null && stored !== undefined
  if (operator === 'exists') return has === operand
  if (operator === 'is_null') return has !== operand
  if (operator === 'eq' && operand === null) return !has
  if (operator === 'neq' && operand === null) return has
  if (!schema) return false
  if (!has) return operator === 'neq' && schema.type === 'Boolean'
  if (schema.type === 'File' && (operator === 'neq' || operator === 'in')) return false
  const equal = (other: Json) => fits(schema, stored, world) && equals(schema, stored, other)
  switch (operator) {
    case 'eq':
      return equal(operand)
    case 'neq':
      return !equal(operand)
    case 'in':
      return (operand as Json[]).some((each) => {
        if (!isSet(schema)) return equal(each)
        return fits(schema, stored, world) && includes(schema, stored, each)
      })
  }
  if (!fits(schema, stored, world)) return false
  if (schema.type === 'File') return namesOf(stored).some((name) => textTest(operator, name, operand))
  if (operator === 'dangling') {
    if (schema.type !== 'Reference' && schema.type !== 'MultiReference') return false
    const dead = idsIn(stored).filter((id) => !itemOf(world, id))
    return dead.length > 0 === operand
  }
  if (operator === 'match') {
    if (schema.type === 'Select') return (stored as { variant: string }).variant === operand
    return isSet(schema) && includes(schema, stored, operand)
  }
  const order = /^(?:(select)_)?(gt|gte|lt|lte)$/.exec(operator)
  if (order) return compares(schema, stored, operand, order[2]!, order[1] === 'select')
  if (schema.type !== 'Text' && schema.type !== 'String') return false
  return textTest(operator, stored as string, operand)
}

/** What looks at a text, or at the name of each file. */
function textTest(operator: string, text: string, operand: Json): boolean {
  if (operator === 'contains') return text.includes(operand as string)
  if (operator === 'starts_with') return text.startsWith(operand as string)
  if (operator === 'ends_with') return text.endsWith(operand as string)
  return (operator === 'regex' || operator === 'matches') && pattern(operand as string).test(text)
}

const namesOf = (stored: Json): string[] => (stored as { name: string }[]).map(({ name }) => name)

const isSet = ({ type }: Schema) => type === 'MultiSelect' || type === 'MultiReference'

/** Ids in any case. */
const element = ({ type }: Schema, value: Json): Json =>
  type === 'MultiReference' && typeof value === 'string' ? value.toUpperCase() : value

const includes = (schema: Schema, stored: Json, wanted: Json): boolean =>
  (stored as Json[]).some((each) => element(schema, each) === element(schema, wanted))

/** A value kept from an older schema may not be one of the current type's. */
function fits({ type }: Schema, stored: Json, { known }: World): boolean {
  switch (type) {
    case 'Number':
      return typeof stored === 'number'
    case 'Boolean':
      return typeof stored === 'boolean'
    case 'Date':
      return typeof stored === 'string' && stored.length === 10 && moment(stored) !== null
    case 'DateTime':
      return typeof stored === 'string' && isDateTime(stored)
    case 'Reference':
      return typeof stored === 'string' && known.has(stored.toUpperCase())
    case 'MultiReference':
      return (
        Array.isArray(stored) &&
        stored.every((each) => typeof each === 'string' && known.has(each.toUpperCase()))
      )
    case 'Select':
      return typeof stored === 'object' && typeof (stored as { variant?: Json }).variant === 'string'
    case 'MultiSelect':
      return Array.isArray(stored) && stored.every((each) => typeof each === 'string')
    case 'File':
      return Array.isArray(stored) && stored.every((each) => typeof each === 'object')
    default:
      return typeof stored === 'string'
  }
}

function equals(schema: Schema, stored: Json, operand: Json): boolean {
  const { type } = schema
  switch (type) {
    case 'Reference':
      return typeof operand === 'string' && (stored as string).toUpperCase() === operand.toUpperCase()
    case 'Select': {
      const name = typeof operand === 'object' && operand ? (operand as { variant?: Json }).variant : operand
      return (stored as { variant: string }).variant === name
    }
    case 'MultiSelect':
    case 'MultiReference': {
      const elements = typeof operand === 'string' ? [operand] : Array.isArray(operand) ? operand : [null]
      const setOf = (list: Json[]) => new Set(list.map((each) => element(schema, each)))
      return setOf(elements).symmetricDifference(setOf(stored as Json[])).size === 0
    }
    case 'File':
      return namesOf(stored).some((name) => name === operand)
    case 'DateTime': {
      const time = typeof operand === 'string' ? instant(operand) : null
      return time !== null && time === instant(stored as string)
    }
    case 'Date':
    case 'String': {
      if (typeof operand !== 'string') return false
      const [a, b] = [moment(stored as string), moment(operand)]
      return a !== null && b !== null ? a === b : stored === operand
    }
    default:
      return stored === operand
  }
}

function compares(
  { type, variants }: Schema,
  stored: Json,
  operand: Json,
  order: string,
  select: boolean,
): boolean {
  if (select && type !== 'Select') return false
  const difference = differenceOf(type, variants ?? [], stored, operand)
  if (difference === null) return false
  if (order === 'gt') return difference > 0
  if (order === 'gte') return difference >= 0
  return order === 'lt' ? difference < 0 : difference <= 0
}

function differenceOf(type: string, variants: string[], stored: Json, operand: Json): number | null {
  if (type === 'Number') return typeof operand === 'number' ? (stored as number) - operand : null
  if (typeof operand !== 'string') return null
  if (type === 'Select') {
    const positions = [variants.indexOf((stored as { variant: string }).variant), variants.indexOf(operand)]
    return positions.includes(-1) ? null : positions[0]! - positions[1]!
  }
  if (type === 'Text') return byCodePoint(stored as string, operand)
  if (type === 'DateTime') {
    const time = instant(operand)
    return time === null ? null : instant(stored as string)! - time
  }
  if (type !== 'String' && type !== 'Date') return null
  const [a, b] = [moment(stored as string), moment(operand)]
  return a !== null && b !== null ? a - b : byCodePoint(stored as string, operand)
}

function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  for (const [i, char] of left.entries()) {
    if (i >= right.length) return 1
    const difference = char.codePointAt(0)! - right[i]!.codePointAt(0)!
    if (difference) return difference
  }
  return left.length - right.length
}

/** Seconds; null where the text is neither YYYY-MM-DD nor YYYY-MM-DDTHH:MM:SS of a real day. */
function moment(text: string): number | null {
  const full = text.length === 10 ? `${text}T00:00:00` : text
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(full)) return null
  const time = Date.parse(`${full}.000Z`)
  return !Number.isNaN(time) && new Date(time).toISOString() === `${full}.000Z` ? time / 1000 : null
}

/** Milliseconds, with a fraction; of a date, or of a date and a time with an offset or in UTC. */
function instant(text: string): number | null {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  if (!match) return null
  const [, day, minute = '00:00', second = '0', offset = 'Z'] = match
  const time = Date.parse(`${day}T${minute}:00.000Z`)
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(`${day}T${minute}`)) return null
  const shift = offset === 'Z' ? 0 : Date.parse('2000-01-01T00:00Z') - Date.parse(`2000-01-01T00:00${offset}`)
  return time + Number(second) * 1000 - shift
}

/** In whole milliseconds, and of a year of four digits in UTC. */
function isDateTime(text: string): boolean {
  const time = text.length > 10 ? instant(text) : null
  return time !== null && Number.isInteger(time) && /^\d{4}-/.test(new Date(time).toISOString())
}

/** ECMAScript compares by simple case folding under the flags i and u. */
/** Of RE2's patterns those that ECMAScript reads alike. */
function pattern(text: string): RegExp {
  return text.startsWith('(?i)') ? new RegExp(text.slice('(?i)'.length), 'iu') : new RegExp(text, 'u')
}
