import type { FilterPlan } from '#src/filter/meaning/plan.ts'

/** From this many parts on, one pass through a text for all of them takes less than a look for each. */
const MANY = 64
/** UTF-16 units of parts that are looked for at one pass: what stands for one takes some 30 bytes. */
const MOST_UNITS = 2 ** 18

type PartPlan = Extract<FilterPlan, { kind: 'text' | 'field' | 'hop' }>

/** Alternatives of which many look for a part of the same text: these become one, which looks for all at once. */
export function joinParts(alternatives: readonly FilterPlan[]): FilterPlan[] {
  if (alternatives.length < MANY) return [...alternatives]
  const groups = Map.groupBy(alternatives, (each) => partOf(each)?.subject ?? each)
  return [...groups.values()].flatMap((group) => (group.length < MANY ? group : joined(group as PartPlan[])))
}

/** The same of parts that are all true, where many say what is not in the same text. */
export function joinMissingParts(parts: readonly FilterPlan[]): FilterPlan[] {
  const missing = parts.flatMap((part) => (part.kind === 'not' ? [part.child] : []))
  const found = joinParts(missing)
  if (found.length === missing.length) return [...parts]
  return [
    ...parts.filter(({ kind }) => kind !== 'not'),
    ...found.map((child) => ({ kind: 'not', child }) as const),
  ]
}

/** What it looks for, and where; undefined where it is no look for a part. */
function partOf(plan: FilterPlan): { subject: string; text: string } | undefined {
  switch (plan.kind) {
    case 'text':
    case 'field': {
      const place = plan.kind === 'text' ? plan.column : `field ${plan.field.id}`
      return plan.test.test === 'substring' ? { subject: place, text: plan.test.text } : undefined
    }
    case 'hop': {
      const part = partOf(plan.target)
      return part && { ...part, subject: `${part.subject} from ${plan.field.id}` }
    }
    default:
      return undefined
  }
}

/** The shortest in one test, as many as it takes; the rest as they are. */
function joined(group: readonly PartPlan[]): FilterPlan[] {
  const parts = group
    .map((plan) => ({ plan, ...partOf(plan)! }))
    .toSorted((a, b) => a.text.length - b.text.length)
  let units = 0
  const taken = parts.filter(({ text }) => (units += text.length) <= MOST_UNITS)
  if (taken.length < MANY) return [...group]
  const all = withTexts(taken[0]!.plan, [...new Set(taken.map(({ text }) => text))])
  return [all, ...parts.slice(taken.length).map(({ plan }) => plan)]
}

function withTexts(plan: FilterPlan, texts: readonly string[]): FilterPlan {
  if (plan.kind === 'hop') return { ...plan, target: withTexts(plan.target, texts) }
  return { ...(plan as Exclude<PartPlan, { kind: 'hop' }>), test: { test: 'any_substring', texts } }
}
