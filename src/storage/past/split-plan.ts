import type { BoundField, FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'
import { nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import { type Db, query } from '#src/sql/query.ts'
import { matchingAmong, matchingItems } from '#src/storage/search/matching-items.ts'
import { textFields } from '#src/storage/tags/text-fields.ts'
import { referencePairs, targetsOf } from '#src/storage/past/reference-pairs.ts'
import type { PastBase } from '#src/storage/past/past-base.ts'
import { hasAny, these, wordsThatCount } from '#src/storage/words/settle-any.ts'
import { wordsOfItems } from '#src/storage/words/item-words.ts'

/** A plan as it is asked of two bases. */
export interface SplitPlan {
  /** Of the base: right for every item that has not been touched. */
  readonly base: FilterPlan
  /** Of the base of then: right for every item in it. */
  readonly past: FilterPlan
}

const NEVER: FilterPlan = { kind: 'never' }
const ALWAYS: FilterPlan = { kind: 'always' }

/**
 * What a plan that speaks of the base as it was means for the base as it is. What an item itself decides is the same;
 * where a reference leads from the one base to the other, the items there are found first, and are in its place.
 */
export function splitPlan(base: Db, past: PastBase, plan: FilterPlan): Promise<SplitPlan> {
  return new Splitter(base, past).split(plan)
}

/**
 * Makes the base of then ready for a plan, before that is split, and for what else is asked by fields (row ids). Which
 * of several items that one refers to lives cannot be asked of the base: such items are read from the log.
 */
export async function readyFor(
  base: Db,
  past: PastBase,
  plan: FilterPlan,
  { fields = [], texts = false }: { fields?: readonly number[]; texts?: boolean },
): Promise<void> {
  const nodes = nodesOf(plan)
  for (const node of nodes) {
    if (node.kind !== 'field' || node.test.test !== 'dangling' || node.field.type === 'Reference') continue
    const { cameBack, left } = await livesOtherwise(base, past)
    const referring = oneOf(node.field, [...cameBack, ...left])
    if (referring.kind !== 'never')
      await past.add(base, await matchingItems(base, untouched(referring, past)))
  }
  const words = nodes.some(({ kind }) => kind === 'any') ? await textFields(past.db) : []
  const asked = nodes.flatMap((node) =>
    'field' in node ? node.field.id : node.kind === 'values' ? node.fields : [],
  )
  await past.needFields(base, [...asked, ...words, ...fields])
  if (texts || nodes.some(({ kind }) => TEXTS.has(kind))) await past.needTexts()
}

/** What looks at texts. */
const TEXTS = new Set(['search', 'any'])

/** Items that live as one of the two alone: as they were, or as they are. */
async function livesOtherwise(base: Db, { db, touchedIds }: PastBase) {
  const lives = new Set(await matchingAmong(base, { ...ALWAYS }, touchedIds))
  const lived = new Set(await matchingItems(db, { ...ALWAYS }))
  return {
    cameBack: touchedIds.filter((id) => !lives.has(id) && lived.has(id)),
    left: touchedIds.filter((id) => lives.has(id) && !lived.has(id)),
  }
}

/** The items of the base alone that satisfy it. */
export const untouched = (plan: FilterPlan, past: PastBase): FilterPlan =>
  and([plan, not(ids(past.touchedIds))])

class Splitter {
  private readonly base: Db
  private readonly past: PastBase

  constructor(base: Db, past: PastBase) {
    this.base = base
    this.past = past
  }

  async split(plan: FilterPlan): Promise<SplitPlan> {
    switch (plan.kind) {
      case 'and':
      case 'or': {
        const parts: SplitPlan[] = []
        for (const each of plan.children) parts.push(await this.split(each))
        const join = plan.kind === 'and' ? and : or
        return { base: join(parts.map((each) => each.base)), past: join(parts.map((each) => each.past)) }
      }
      case 'not': {
        const child = await this.split(plan.child)
        return { base: not(child.base), past: not(child.past) }
      }
      case 'hop':
        return this.hop(plan.field, await this.split(plan.target))
      case 'referred':
        return this.referred(plan, await this.split(plan.filter))
      case 'changed':
        return { base: plan, past: await this.changed(plan) }
      case 'any':
        return { base: plan, past: await this.any(plan) }
      case 'field':
        if (plan.test.test === 'dangling') return this.dangling(plan.field, plan.test.dangling)
        return { base: plan, past: { ...plan } }
      default:
        // Not the same object: each is settled for its base.
        return { base: plan, past: { ...plan } }
    }
  }

  private async hop(field: BoundField, target: SplitPlan): Promise<SplitPlan> {
    const { past, base } = this
    const now = new Set(await matchingAmong(base, { ...target.base }, past.touchedIds))
    const before = new Set(await matchingItems(past.db, { ...target.past }))
    const { touched, others } = await this.referredTo(field)
    const far = await matchingAmong(base, { ...target.base }, others)
    const led = oneOf(field, [...far, ...touched.filter((id) => before.has(id))])
    const notNow = [...now].filter((id) => !before.has(id))
    const onlyBefore = [...before].filter((id) => !now.has(id) && past.touched.has(id))
    const leads: FilterPlan =
      field.type === 'Reference'
        ? and([{ kind: 'hop', field, target: target.base }, not(oneOf(field, notNow))])
        : { kind: 'hop', field, target: and([target.base, not(ids(notNow))]) }
    return { base: or([leads, oneOf(field, onlyBefore)]), past: led }
  }

  private async referred(
    { field, min, max }: Extract<FilterPlan, { kind: 'referred' }>,
    filter: SplitPlan,
  ): Promise<SplitPlan> {
    const { past, base } = this
    const now = await matchingAmong(base, { ...filter.base }, past.touchedIds)
    const referring = and([filter.base, not(ids(now))])
    const before = await matchingItems(past.db, { ...filter.past })
    const ofPast = counted(await referencePairs(past.db, [field.id], before))
    const toTouched = await matchingItems(base, and([oneOf(field, past.touchedIds), referring]))
    const all = new Map(ofPast)
    for (const [id, n] of counted(await referencePairs(base, [field.id], toTouched)))
      all.set(id, (all.get(id) ?? 0) + n)
    const fits = (id: number) => {
      const n = all.get(id) ?? 0
      return n >= min && (max === undefined || n <= max)
    }
    const range = (less: number) =>
      inRange({ kind: 'referred', field, filter: referring, min, ...(max !== undefined && { max }) }, less)
    const byCount = Map.groupBy(ofPast, ([, n]) => n)
    const more = [...byCount].map(([n, list]) => and([ids(list.map(([id]) => id)), range(n)]))
    const rest = and([range(0), not(ids([...ofPast.keys()]))])
    return { base: or([...more, rest]), past: ids(past.touchedIds.filter(fits)) }
  }

  /** A reference dangles where its item did not live then. */
  private async dangling(field: BoundField, dangling: boolean): Promise<SplitPlan> {
    const { past, base } = this
    const { cameBack, left } = await livesOtherwise(base, past)
    const now: FilterPlan = { kind: 'field', field, test: { test: 'dangling', dangling } }
    const [gains, loses] = dangling ? [left, cameBack] : [cameBack, left]
    return this.danglingPast(field, dangling, or([and([now, not(oneOf(field, loses))]), oneOf(field, gains)]))
  }

  private async danglingPast(field: BoundField, dangling: boolean, base: FilterPlan): Promise<SplitPlan> {
    const lived = new Set(await matchingItems(this.past.db, { ...ALWAYS }))
    const { touched, others } = await this.referredTo(field)
    const alive = new Set(await matchingAmong(this.base, { ...ALWAYS }, others))
    const dead = [...touched.filter((id) => !lived.has(id)), ...others.filter((id) => !alive.has(id))]
    const isDead = oneOf(field, dead)
    if (dangling) return { base, past: isDead }
    const test = (made: ValueTest): FilterPlan => ({ kind: 'field', field, test: made })
    return {
      base,
      past: and([test({ test: 'present' }), not(isDead), not(test({ test: 'misfit' }))]),
    }
  }

  /** What the items of then refer to by a field. */
  private async referredTo(field: BoundField): Promise<{ touched: number[]; others: number[] }> {
    const all = await matchingItems(this.past.db, { ...ALWAYS })
    const targets = await targetsOf(this.past.db, [field.id], all)
    return {
      touched: targets.filter((id) => this.past.touched.has(id)),
      others: targets.filter((id) => !this.past.touched.has(id)),
    }
  }

  private async changed({ from, before }: Extract<FilterPlan, { kind: 'changed' }>): Promise<FilterPlan> {
    const rows = await this.base.all(changedRows, {
      ids: JSON.stringify(this.past.touchedIds),
      from,
      before,
      until: this.past.cut,
    })
    return ids(rows.map(({ id }) => id))
  }

  /** By the words that count today. */
  private async any(plan: Extract<FilterPlan, { kind: 'any' }>): Promise<FilterPlan> {
    const counting = await wordsThatCount(this.base, plan)
    const words = await wordsOfItems(this.past.db, this.past.touchedIds)
    return these([...words].flatMap(([item, own]) => (hasAny(own, counting) ? [item] : [])))
  }
}

/** As many refer to it as are left of a range. */
function inRange(plan: Extract<FilterPlan, { kind: 'referred' }>, less: number): FilterPlan {
  const { min, max, ...rest } = plan
  if (max !== undefined && max < less) return NEVER
  if (min > less) return { ...rest, min: min - less, ...(max !== undefined && { max: max - less }) }
  return max === undefined ? ALWAYS : not({ ...rest, min: max - less + 1 })
}

const changedRows = query((p: { ids: string; from: string; before: string; until: string }, db, dialect) =>
  db
    .selectFrom('item')
    .select('id')
    .where('id', 'in', dialect.integers(p.ids))
    .where((e) =>
      e.exists(
        db
          .selectFrom('audit_event')
          .select('event_id')
          .where('audit_event.item_id', '=', e.ref('item.item_id'))
          .where('event_id', '>=', p.from)
          .where('event_id', '<', p.before)
          .where('event_id', '<=', p.until),
      ),
    ),
)

function counted(pairs: readonly { target: number }[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { target } of pairs) counts.set(target, (counts.get(target) ?? 0) + 1)
  return counts
}

export const oneOf = (field: BoundField, values: readonly number[]): FilterPlan =>
  values.length ? { kind: 'field', field, test: { test: 'one_of', values } } : NEVER
const ids = (items: readonly number[]): FilterPlan => (items.length ? { kind: 'id', items } : NEVER)

function not(child: FilterPlan): FilterPlan {
  if (child.kind === 'always') return NEVER
  if (child.kind === 'never') return ALWAYS
  return child.kind === 'not' ? child.child : { kind: 'not', child }
}

const and = (parts: readonly FilterPlan[]): FilterPlan => join('and', parts)
const or = (parts: readonly FilterPlan[]): FilterPlan => join('or', parts)

function join(kind: 'and' | 'or', parts: readonly FilterPlan[]): FilterPlan {
  const [neutral, decisive] = kind === 'and' ? [ALWAYS, NEVER] : [NEVER, ALWAYS]
  if (parts.some((each) => each.kind === decisive.kind)) return { ...decisive }
  const children = parts.flatMap((each) =>
    each.kind === kind ? each.children : each.kind === neutral.kind ? [] : [each],
  )
  return children.length > 1 ? { kind, children } : (children[0] ?? { ...neutral })
}
