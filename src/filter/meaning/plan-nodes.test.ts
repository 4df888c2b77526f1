import { describe, expect, it } from 'vitest'
import { conjunctsOf, mapLeaves, nodesOf, readsOwnItem } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import {
  ALWAYS,
  and,
  FIELDS,
  hop,
  NEVER,
  not,
  of,
  or,
  present,
  referred,
  tags,
} from '#test/support/plan-table.ts'

const FORMS: [name: string, of: (leaf: FilterPlan) => FilterPlan][] = [
  ['a leaf', (leaf) => leaf],
  ['and', (leaf) => and(ALWAYS, leaf)],
  ['or', (leaf) => or(leaf, ALWAYS)],
  ['not', not],
  ['a hop', (leaf) => hop(leaf)],
  ['referred to', (leaf) => referred(leaf, 2, 3)],
  ['all of them', (leaf) => not(and(hop(or(leaf, referred(leaf))), leaf))],
]

describe('the nodes of a plan', () => {
  it.each(FORMS)('are gone through, and each leaf replaced: %s', async (_, form) => {
    const replaced: FilterPlan[] = []
    const found = await mapLeaves(form(tags(7)), (leaf) => {
      if (leaf.kind === 'always') return leaf
      replaced.push(leaf)
      return tags(8)
    })
    expect(found).toEqual(form(tags(8)))
    expect(nodesOf(form(tags(7))).filter(({ kind }) => kind === 'has_tag')).toEqual(replaced)
  })

  it.each([
    [and(tags(7), tags(8)), [tags(7), tags(8)]],
    [ALWAYS, []],
    [NEVER, [NEVER]],
    [or(tags(7), tags(8)), [or(tags(7), tags(8))]],
  ])('that all have to be true, of %j', (plan, parts) => {
    expect(conjunctsOf(plan)).toEqual(parts)
  })

  it.each([
    [tags(7), true],
    [and(tags(7), or(tags(8), not(tags(9)))), true],
    [and(tags(7), hop(ALWAYS)), false],
    [or(tags(7), referred(ALWAYS)), false],
    [not(hop(ALWAYS)), false],
    [of(FIELDS.next, present), true],
    [of(FIELDS.next, { test: 'dangling', dangling: true }), false],
  ])('are about an item alone: %j: %j', (plan, alone) => {
    expect(readsOwnItem(plan)).toBe(alone)
  })
})
