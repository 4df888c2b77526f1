import { forbidden } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { conjunctsOf, nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import type { BoundField, FilterPlan } from '#src/filter/meaning/plan.ts'
import type { CompiledSql, Db, Query, RunResult } from '#src/sql/query.ts'

/** What a limited key or app sees of the base (decision 134). */
export interface Sight {
  /** Distinguishes what is remembered under it. */
  readonly name: string
  /** The tags that it knows, by row id; undefined: all. */
  readonly tags: ReadonlyMap<number, Ulid> | undefined
  /** What has to be true of an item besides; undefined: nothing. */
  readonly filter: FilterPlan | undefined
  /** True of the living items that it sees: what the tags and the filter say. Looks at the whole base. */
  readonly plan: FilterPlan
  /**
   * Those of some items (row ids) that it sees of them as they are now; undefined where `plan` tells, which is as it was
   * looked up when the call began, before anything that the call changes.
   */
  readonly now?: (db: Db) => (items: readonly number[]) => Promise<number[]>
}

/** What a change may take to look what is seen. */
export interface TimeToLook {
  /** Those of the items (row ids) that `look` finds among some of them. @throws ServiceUnavailable when the time is over */
  among(
    db: Db,
    items: readonly number[],
    look: (some: readonly number[]) => Promise<Iterable<number>>,
  ): Promise<Set<number>>
}

const sights = new WeakMap<Db, Sight>()

/** What a connection sees; undefined: everything. */
export const sightOf = (db: Db): Sight | undefined => sights.get(db)

/** Whether the log decides what is seen: the limit asks when items were changed. */
export function isSeenByLog(db: Db): boolean {
  const sight = sightOf(db)
  return sight !== undefined && nodesOf(sight.plan).some(({ kind }) => kind === 'changed')
}

/** The connection that sees everything. */
export const wholeOf = (db: Db): Db => (db instanceof NarrowedDb ? db.whole : db)

/**
 * The connection, which shows from now on what the limit leaves: to anyone who asks `storage/sight`, of a change for as
 * long as it has time.
 */
export function narrowedDb(whole: Db, sight: Sight, time?: TimeToLook): Db {
  const db = new NarrowedDb(whole)
  sights.set(db, sight)
  if (time) times.set(db, time)
  return db
}

const times = new WeakMap<Db, TimeToLook>()

/** What a change may take to look what is seen; undefined where nobody waits for it. */
export const timeToLook = (db: Db): TimeToLook | undefined => times.get(db)

/** The same connection: it is another object, by which its sight is known. */
class NarrowedDb implements Db {
  readonly whole: Db
  readonly dialect: Db['dialect']
  readonly cache: Db['cache']
  readonly hints: Db['hints']
  readonly room: Db['room']
  readonly committed?: NonNullable<Db['committed']>
  readonly patterns?: NonNullable<Db['patterns']>

  constructor(whole: Db) {
    this.whole = whole
    this.dialect = whole.dialect
    this.cache = whole.cache
    this.hints = whole.hints
    this.room = whole.room
    if (whole.committed) this.committed = whole.committed
    if (whole.patterns) this.patterns = whole.patterns
  }

  all<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row[]> {
    return this.whole.all(query, values)
  }

  get<Values, Row>(query: Query<Values, Row>, values: Values): Promise<Row | undefined> {
    return this.whole.get(query, values)
  }

  run<Values, Row>(query: Query<Values, Row>, values: Values): Promise<RunResult> {
    return this.whole.run(query, values)
  }

  enqueue<Values, Row>(query: Query<Values, Row>, values: Values): Promise<unknown> {
    return this.whole.enqueue(query, values)
  }

  enqueueCompiled(statement: CompiledSql): Promise<unknown> {
    return this.whole.enqueueCompiled(statement)
  }

  select: Db['select'] = (compilable) => this.whole.select(compilable)
}

/** Under which something is remembered that is different for each sight. */
export const ownKey = (db: Db, key: string): string => {
  const sight = sightOf(db)
  return sight ? `${key} ${sight.name}` : key
}

/** Whether a tag (row id) is known. */
export const isKnownTag = (db: Db, tag: number): boolean => sightOf(db)?.tags?.has(tag) ?? true

/** Row ids of the tags that are known, as a JSON array; undefined: all are. */
export function knownTags(db: Db): string | undefined {
  const tags = sightOf(db)?.tags
  return tags && JSON.stringify([...tags.keys()])
}

const narrowed = new WeakMap<Sight, WeakMap<FilterPlan, FilterPlan>>()

/** The plan as it is about what is seen alone: the items themselves, those that they refer to, and that refer to them. */
export function withinSight(db: Db, plan: FilterPlan): FilterPlan {
  const sight = sightOf(db)
  return sight ? planWithin(sight, plan) : plan
}

/** The same by what is seen, e.g. of a plan that is looked at in memory. */
export function planWithin(sight: Sight, plan: FilterPlan): FilterPlan {
  let known = narrowed.get(sight)
  if (!known) narrowed.set(sight, (known = new WeakMap()))
  let found = known.get(plan)
  if (!found) {
    found = seen(narrow(plan, sight), sight)
    known.set(plan, found)
    known.set(found, found)
  }
  return found
}

function narrow(plan: FilterPlan, sight: Sight): FilterPlan {
  switch (plan.kind) {
    case 'and':
    case 'or':
      return { kind: plan.kind, children: plan.children.map((each) => narrow(each, sight)) }
    case 'not':
      return { kind: 'not', child: narrow(plan.child, sight) }
    case 'hop':
      return { ...plan, target: seen(narrow(plan.target, sight), sight) }
    case 'referred':
      return { ...plan, filter: seen(narrow(plan.filter, sight), sight) }
    case 'changed':
      throw forbidden(`A key or an app that sees a part of the base does not reach 'changed_between'`, {
        suggestion: 'Ask by updated_at, or use a key without a limit',
      })
    case 'tagged':
      return sight.tags ? { kind: 'has_tag', tags: [...sight.tags.keys()] } : plan
    case 'field':
      return plan.test.test === 'dangling' ? { ...plan, test: { ...plan.test, among: sight.plan } } : plan
    default:
      return plan
  }
}

/** True of the items of the plan that are seen. */
function seen(plan: FilterPlan, sight: Sight): FilterPlan {
  if (plan.kind === 'never' || sight.plan.kind === 'never') return { kind: 'never' }
  const parts = conjunctsOf(plan)
  const left = parts.some((part) => hasKnownTag(part, sight)) ? sight.filter : sight.plan
  const children = [...parts, ...(left ? conjunctsOf(left) : [])]
  return children.length > 1 ? { kind: 'and', children } : (children[0] ?? { kind: 'always' })
}

/** Whether only items that have one of the tags can satisfy it: nobody need look for the tags then. */
function hasKnownTag(part: FilterPlan, { tags }: Sight): boolean {
  if (!tags) return true
  if (part.kind === 'has_tag') return part.tags.every((tag) => tags.has(tag))
  return needsValue(part) && tags.has(part.field.tag)
}

function needsValue(part: FilterPlan): part is FilterPlan & { field: BoundField } {
  if (part.kind === 'hop') return true
  if (part.kind !== 'field') return false
  return part.test.test !== 'absent' && !(part.test.test === 'none_of' && part.test.or_absent)
}
