import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import type { Db } from '#src/sql/query.ts'
import { evaluateRegexes, type Scope } from '#src/storage/search/evaluate-regexes.ts'
import { settleAlternatives } from '#src/storage/search/settle-alternatives.ts'
import { sightOf, withinSight } from '#src/storage/sight/sight.ts'
import { settleAny } from '#src/storage/words/settle-any.ts'
import { knowingOfWaiting } from '#src/storage/large/waiting-texts.ts'
import { settleUnfolded } from '#src/storage/text-folding/search-unfolded.ts'

/** More items than these are worth that wide alternatives are looked up for all at once. */
const MANY_ASKED = 100

interface SettledScope extends Scope {
  /** Texts that an upgrade has still to fold are searched as the version before folded them. */
  as_folded?: boolean
  /** It is made of a plan that is about what is seen alone: what is in it of a limit is looked at over the whole base. */
  within?: boolean
}

const EVERYTHING = {}
/** By what is seen: the same plan can be that of several. */
const settled = new WeakMap<object, WeakSet<FilterPlan>>()

function settledFor(db: Db): WeakSet<FilterPlan> {
  const sight = sightOf(db) ?? EVERYTHING
  let plans = settled.get(sight)
  if (!plans) settled.set(sight, (plans = new WeakSet()))
  return plans
}

/**
 * The plan as it can be searched by, on the snapshot of the call: what the engine cannot match, and alternatives that
 * are too many to be looked at for each item, are lists of items. What was settled before stays as it is.
 */
export async function settlePlan(db: Db, given: FilterPlan, scope: SettledScope = {}): Promise<FilterPlan> {
  const done = settledFor(db)
  if (done.has(given)) return given
  if (nodesOf(given).some(({ kind }) => kind === 'changed')) await requireWholeLog(db)
  const ranked = await settleAny(db, scope.within ? given : withinSight(db, given), scope)
  const folded = scope.as_folded ? ranked : await settleUnfolded(db, ranked)
  const plan = await evaluateRegexes(db, await knowingOfWaiting(db, folded), scope)
  const few = scope.among && scope.among.length <= MANY_ASKED
  const found = few || namesFew(plan) ? plan : await settleAlternatives(db, plan)
  done.add(found)
  return found
}

const namesFew = (plan: FilterPlan): boolean =>
  plan.kind === 'and' && plan.children.some((each) => each.kind === 'id' && each.items.length <= MANY_ASKED)
