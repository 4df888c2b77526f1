import { partsOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { referringTo, type World } from '#src/storage/live/world.ts'

/** Items by row id, each with the place of the event in the log that may have changed what is true of it. */
export type Causes = Map<number, number>

/** The base before and after some events. */
export interface BothWorlds {
  db: Db
  before: World
  now: World
  /** More items are not gone through. */
  most: number
}

/** A plan as it was and as it is: of one filter, by the tags and the time of before and of now. */
export interface BothPlans {
  before: FilterPlan
  now: FilterPlan
}

export class TooMany extends Error {}

/** The items of which something may be different because of others, those of `seeds` or reached by them. */
export async function reachedItems(worlds: BothWorlds, plans: BothPlans, seeds: Causes): Promise<Causes> {
  const reached: Causes = new Map()
  const add = (id: number, cause: number) => {
    reached.set(id, Math.max(cause, reached.get(id) ?? -1))
    if (reached.size > worlds.most) throw new TooMany()
  }
  const { now } = plans
  switch (now.kind) {
    case 'and':
    case 'or':
    case 'not': {
      for (const part of bothParts(plans))
        for (const [id, cause] of await reachedItems(worlds, part, seeds)) add(id, cause)
      return reached
    }
    case 'field':
      if (now.test.test === 'dangling') {
        const inner = bothParts(plans)[0] ?? ALIVE
        const targets = await withReached(worlds, inner, seeds)
        await eachReferring(worlds, now.field.id, await changed(worlds, inner, targets), add)
      }
      return reached
    case 'hop': {
      const inner = bothParts(plans)[0]!
      const targets = await withReached(worlds, inner, seeds)
      await eachReferring(worlds, now.field.id, await changed(worlds, inner, targets), add)
      return reached
    }
    case 'referred': {
      const inner = bothParts(plans)[0]!
      await eachReferred(worlds, now.field.id, inner, await withReached(worlds, inner, seeds), add)
      return reached
    }
    default:
      return reached
  }
}

/** What these refer to by a field, now or then and not both, or where the plan holds for them in one world alone. */
async function eachReferred(
  worlds: BothWorlds,
  field: number,
  inner: BothPlans,
  referring: Causes,
  add: (id: number, cause: number) => void,
): Promise<void> {
  for (const [id, cause] of referring) {
    const was = worlds.before.living(id)?.referencesBy(field) ?? []
    const is = worlds.now.living(id)?.referencesBy(field) ?? []
    const same = (await worlds.before.holds(inner.before, id)) === (await worlds.now.holds(inner.now, id))
    for (const each of was) if (!same || !is.includes(each)) add(each, cause)
    for (const each of is) if (!same || !was.includes(each)) add(each, cause)
  }
}

const ALIVE: BothPlans = { before: { kind: 'always' }, now: { kind: 'always' } }

/** The plans that these are made of; where that of then has another form, a part of now is as good to find items by. */
function bothParts({ before, now }: BothPlans): BothPlans[] {
  const [was, is] = [childrenOf(before), childrenOf(now)]
  const same = before.kind === now.kind && was.length === is.length
  return is.map((part, i) => ({ before: same ? was[i]! : part, now: part }))
}

const childrenOf = (plan: FilterPlan): readonly FilterPlan[] =>
  plan.kind === 'field' && plan.test.test === 'dangling' && plan.test.among
    ? [plan.test.among]
    : partsOf(plan)

async function withReached(worlds: BothWorlds, plans: BothPlans, seeds: Causes): Promise<Causes> {
  const all = new Map(seeds)
  for (const [id, cause] of await reachedItems(worlds, plans, seeds))
    all.set(id, Math.max(cause, all.get(id) ?? -1))
  await worlds.before.load(all.keys())
  await worlds.now.load(all.keys())
  return all
}

/** Those of which the plan was true and is not any more, or the other way round. */
async function changed({ before, now }: BothWorlds, plans: BothPlans, items: Causes): Promise<Causes> {
  const found: Causes = new Map()
  for (const [id, cause] of items)
    if ((await before.holds(plans.before, id)) !== (await now.holds(plans.now, id))) found.set(id, cause)
  return found
}

async function eachReferring(
  { db, most }: BothWorlds,
  field: number,
  targets: Causes,
  add: (id: number, cause: number) => void,
): Promise<void> {
  for (const [id, cause] of targets)
    for (const each of await referringTo(db, field, [id], most + 1)) add(each, cause)
}
