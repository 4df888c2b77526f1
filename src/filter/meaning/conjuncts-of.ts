import type { FilterPlan } from '#src/filter/meaning/plan.ts'

/** The parts that all have to be true. */
export const conjunctsOf = (plan: FilterPlan): readonly FilterPlan[] =>
  plan.kind === 'and' ? plan.children : plan.kind === 'always' ? [] : [plan]
