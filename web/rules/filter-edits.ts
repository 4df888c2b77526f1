/** A filter as it was written. */
export type Filter = Readonly<Record<string, unknown>>

/** Where something is in a filter: `['and', 1, 'not']`. */
export type Path = readonly (string | number)[]

export type GroupKind = 'all' | 'any' | 'none' | 'not all'

/** Conditions that are joined; `list` is where their array is below the group. */
export interface FilterGroup {
  kind: GroupKind
  children: readonly Filter[]
  list: Path
}

export const isFilter = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What joins conditions: `and`, `or`, and either of them under one `not`. */
export function groupOf(filter: Filter): FilterGroup | null {
  const { not } = filter
  const inner = isFilter(not) && !isFilter(not['not']) ? groupOf(not) : null
  if (inner?.kind === 'any') return { ...inner, kind: 'none', list: ['not', ...inner.list] }
  if (inner?.kind === 'all') return { ...inner, kind: 'not all', list: ['not', ...inner.list] }
  const { and, or } = filter
  if (areFilters(and)) return { kind: 'all', children: and, list: ['and'] }
  if (areFilters(or)) return { kind: 'any', children: or, list: ['or'] }
  return null
}

/** An address may hold anything; what has another form is shown as it was written. */
const areFilters = (value: unknown): value is Filter[] => Array.isArray(value) && value.every(isFilter)

export function groupFilter(kind: GroupKind, children: readonly Filter[]): Filter {
  const joined = { [kind === 'all' || kind === 'not all' ? 'and' : 'or']: children }
  return kind === 'none' || kind === 'not all' ? { not: joined } : joined
}

/** What is at the place; undefined where there is none. */
export function getAt(filter: unknown, path: Path): unknown {
  let here = filter
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Record<string | number, unknown>)[key]
  }
  return here
}

/** The same with something else at the place: all next to it stays the same object, the order of keys too. */
export function setAt<T>(filter: T, path: Path, value: unknown): T {
  const [key, ...rest] = path
  if (key === undefined) return value as T
  if (Array.isArray(filter)) return filter.with(Number(key), setAt(filter[Number(key)], rest, value)) as T
  const object = filter as Record<string, unknown>
  return { ...object, [key]: setAt(object[key], rest, value) } as T
}

/** Without what is at the place; a group of one becomes that one. null: nothing is left. */
export function removeAt(filter: Filter, path: Path): Filter | null {
  const last = path.at(-1)
  if (last === undefined) return null
  const parent = path.slice(0, -1)
  // Behind a `not` there is nothing else: it goes as well.
  if (last === 'not') return removeAt(filter, parent)
  const holder = getAt(filter, parent)
  if (!Array.isArray(holder)) return withoutKey(filter, parent, String(last))
  const left = holder.toSpliced(Number(last), 1)
  const group = path.slice(0, -2)
  if (!left.length) return removeAt(filter, group)
  return setAt(filter, left.length === 1 ? group : parent, left.length === 1 ? left[0] : left)
}

/** The filter of those that refer, or what counts them: without either any reference will do. */
function withoutKey(filter: Filter, parent: Path, key: string): Filter | null {
  const holder = getAt(filter, parent)
  if (!isFilter(holder)) return filter
  const { [key]: _, ...rest } = holder
  if (!parent.length) return Object.keys(rest).length ? rest : null
  return setAt(filter, parent, Object.keys(rest).length ? rest : { count: { gte: 1 } })
}

/** One more condition besides those that must all hold. */
export function addTo(filter: Filter | null, condition: Filter): Filter {
  if (!filter) return condition
  const group = groupOf(filter)
  return group?.kind === 'all' ? { and: [...group.children, condition] } : { and: [filter, condition] }
}

/** One more condition in the group that is there; what is no group becomes one. */
export function addAt(filter: Filter, path: Path, condition: Filter, kind: GroupKind = 'all'): Filter {
  const here = getAt(filter, path) as Filter
  const group = groupOf(here)
  if (!group) return setAt(filter, path, groupFilter(kind, [here, condition]))
  return setAt(filter, [...path, ...group.list], [...group.children, condition])
}

/** All of, any of, none of: the conditions stay as they are. */
export function joinAs(filter: Filter, path: Path, kind: GroupKind): Filter {
  const here = getAt(filter, path) as Filter
  const group = groupOf(here)
  return group ? setAt(filter, path, groupFilter(kind, group.children)) : filter
}

/** The conditions of an inner group next to the group, where it stood. */
export function unwrapAt(filter: Filter, path: Path): Filter {
  const group = groupOf(getAt(filter, path) as Filter)
  const list = path.slice(0, -1)
  const holder = getAt(filter, list)
  if (!group || !Array.isArray(holder)) return filter
  return setAt(filter, list, holder.toSpliced(Number(path.at(-1)), 1, ...group.children))
}

/** One place up or down among its neighbours. */
export function moveAt(filter: Filter, path: Path, by: 1 | -1): Filter {
  const list = path.slice(0, -1)
  const holder = getAt(filter, list)
  const from = Number(path.at(-1))
  if (!Array.isArray(holder) || from + by < 0 || from + by >= holder.length) return filter
  const moved = holder.toSpliced(from, 1)
  return setAt(filter, list, moved.toSpliced(from + by, 0, holder[from]))
}

/** Each chip of a filter with its place: the conditions that must all hold, or the filter as one. */
export function chipsOf(filter: Filter | null): { path: Path; filter: Filter }[] {
  if (!filter) return []
  const group = groupOf(filter)
  return group?.kind === 'all'
    ? group.children.map((each, i) => ({ path: ['and', i], filter: each }))
    : [{ path: [], filter }]
}
