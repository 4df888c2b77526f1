import { expect, it } from 'vitest'
import { FetchBudget } from '#src/api/apps/fetch-budget.ts'

/** How many of so many are fetched. */
const taken = (budget: FetchBudget, count: number, address: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => budget.take(address(i))).filter(Boolean).length

it('gives each address a share, a network four of them, and all together ten', () => {
  let now = 0
  const budget = new FetchBudget(() => now)
  expect(taken(budget, 200, () => '198.51.100.7')).toBe(120)
  expect(taken(budget, 1000, (i) => `198.51.100.${100 + (i % 100)}`)).toBe(360)
  expect(taken(budget, 200, () => '2001:db8:1:2::7')).toBe(120)
  expect(taken(budget, 200, (i) => `2001:db8:1:2:${i}::1`)).toBe(0)
  expect(taken(budget, 1000, (i) => `203.0.${i % 100}.7`)).toBe(600)
  expect(budget.take('192.0.2.1')).toBe(false)
  now += 60_000
  expect(taken(budget, 200, () => '198.51.100.7')).toBe(120)
})
