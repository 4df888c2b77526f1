import { expect, it } from 'vitest'
import { countOf, EVERYTHING, isChosen, isNothing, NOTHING, toggled } from '#web/table/selection.ts'

it('chooses and lets go', () => {
  const two = toggled(NOTHING, ['a', 'b'])
  expect([isChosen(two, 'a'), isChosen(two, 'c'), countOf(two, 9)]).toEqual([true, false, 2])
  const three = toggled(two, ['a', 'c']) // one was not chosen: all of them are now
  expect([...three.ids].sort()).toEqual(['a', 'b', 'c'])
  expect(isNothing(toggled(three, ['a', 'b', 'c']))).toBe(true)
})

it('chooses all but some', () => {
  const but = toggled(EVERYTHING, ['a'])
  expect([isChosen(but, 'a'), isChosen(but, 'b'), countOf(but, 9)]).toEqual([false, true, 8])
  expect(isChosen(toggled(but, ['a']), 'a')).toBe(true)
})
