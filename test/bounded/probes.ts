import { exampleOf, type JsonSchema } from '#src/api/http/openapi/openapi-schemas.ts'

/** A place of an input that takes as much as one likes to send, and what is there by size. */
export interface Probe {
  path: string
  /** The size of the largest. */
  most: number
  input(size: number): unknown
}

/** Texts of one character each, because what is slow is slow for one of them. */
const FILLINGS = ['a', '<', ' ', '&', '[', '{"a":', 'a b', '\\', 'é', '"', '%', '.', '->']
/** A list or map of which the schema says no limit. */
const MANY = 10_000
const DEEP = 1000

export interface Limits {
  /** Characters of a text, and entries of a list. */
  text: number
  list: number
  /** All fillings, or one for each place. */
  all: boolean
}

/** Each text, list, map and nesting of an input of the schema. */
export function probesOf(input: object, example: unknown, limits: Limits): Probe[] {
  const schema = input as JsonSchema
  const base = { ...(exampleOf(schema) as object), ...(example as object | undefined) }
  let turn = 0
  const visit = (part: JsonSchema, path: readonly string[]): Probe[] => {
    const probe = (what: string, most: number, value: (size: number) => unknown): Probe => ({
      path: `${path.join('.')} ${what}`,
      most,
      input: (size) => replaced(base, path, value(size)),
    })
    if (Array.isArray(part.anyOf)) return part.anyOf.flatMap((each: JsonSchema) => visit(each, path))
    if (part.type === 'string' && !part.enum && part.const === undefined) {
      const fillings = limits.all ? FILLINGS : [FILLINGS[turn++ % FILLINGS.length]!]
      const most = Math.min(Number(part.maxLength ?? limits.text), limits.text)
      return fillings.map((filling) =>
        probe(`text of ${JSON.stringify(filling)}`, most, (size) => textOf(filling, size)),
      )
    }
    if (part.type === 'array') {
      const items = part.items as JsonSchema
      const most = Math.min(Number(part.maxItems ?? MANY), limits.list)
      return [
        probe('list', most, (size) => Array.from({ length: size }, (_, i) => numbered(exampleOf(items), i))),
        ...(path.length < 6 ? visit(items, [...path, '0']) : []),
      ]
    }
    if (part.type !== 'object') return []
    const properties = Object.entries((part.properties ?? {}) as Record<string, JsonSchema>)
    const known = properties.flatMap(([name, each]) => visit(each, [...path, name]))
    return part.additionalProperties || part.patternProperties || !part.properties
      ? [...known, ...openProbes(probe, exampleOf(part), limits)]
      : known
  }
  return visit(schema, [])
}

/** What may be where the schema leaves it to our own code: filters, field schemas, values. */
function openProbes(
  probe: (what: string, most: number, value: (size: number) => unknown) => Probe,
  example: unknown,
  { list, text }: Limits,
): Probe[] {
  const [value] = Object.values(example ?? {})
  const nested = (key: string, inList: boolean) => (size: number) => {
    let built: unknown = value ?? {}
    for (let i = 0; i < size; i++) built = { [key]: inList ? [built] : built }
    return built
  }
  const many = (size: number) => Array.from({ length: size }, (_, i) => numbered({ name: 'a' }, i))
  return [
    probe('map', list, (size) =>
      Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, value ?? i])),
    ),
    probe('key', text, (size) => ({ ['a'.repeat(size)]: value ?? 1 })),
    probe('path', text, (size) => ({ [textOf('a->', size)]: value ?? 1 })),
    probe('nested', DEEP, nested('not', false)),
    probe('nested lists', DEEP, nested('and', true)),
    probe('alternatives', list, (size) => ({ or: many(size) })),
    probe('ids', list, (size) => ({ id: { in: many(size).map(({ name }) => name) } })),
    probe('search', text, (size) => ({ search: textOf('a b', size) })),
    probe('pattern', text, (size) => ({ name: { regex: textOf('(a|b)*', size) } })),
  ]
}

const textOf = (filling: string, size: number) =>
  filling.repeat(Math.ceil(size / filling.length)).slice(0, size)

/** Another one of the same kind. */
function numbered<T>(value: T, i: number): T {
  if (typeof value === 'string') return `${value} ${i}` as T
  if (Array.isArray(value)) return value.map((each) => numbered(each, i)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, numbered(each, i)])) as T
}

function replaced(base: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value
  if (first === '0') return [replaced(Array.isArray(base) ? base[0] : undefined, rest, value)]
  const object = typeof base === 'object' && base !== null && !Array.isArray(base) ? base : {}
  return { ...object, [first]: replaced((object as Record<string, unknown>)[first], rest, value) }
}
