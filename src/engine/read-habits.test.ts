import { expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { ReadHabits } from '#src/engine/read-habits.ts'

const times = (count: number, work: () => void) => Array.from({ length: count }, work)

it('who has been mostly quick is not slow by one read, and not for ever by many', () => {
  const habits = new ReadHabits()
  times(20, () => habits.wasQuick('ann', 0))
  habits.wasSlow('ann', 0)
  expect([habits.isSlow('ann', 0), habits.isMostlyQuick('ann')]).toEqual([false, true])
  times(8, () => habits.wasSlow('ann', 0))
  expect([habits.isSlow('ann', 0), habits.isMostlyQuick('ann')]).toEqual([true, false])
  habits.wasQuick('ann', 0)
  expect(habits.isSlow('ann', 0)).toBe(false)
})

it('who is slow is so until two seconds after the last slow read, and often slow after three', () => {
  const habits = new ReadHabits()
  habits.wasSlow('bob', 0)
  expect([habits.isSlow('bob', 1999), habits.isSlow('bob', 2000)]).toEqual([true, false])
  habits.goesOn('bob', 5000)
  expect(habits.isSlow('bob', 6999)).toBe(true)
  expect(habits.isOftenSlow('bob', 6999)).toBe(false)
  times(9, () => habits.wasSlow('bob', 7000))
  expect(habits.isOftenSlow('bob', 7000)).toBe(true)
  times(2, () => habits.wasQuick('bob', 7000))
  expect([habits.isOftenSlow('bob', 7000), habits.isSlow('bob', 7000)]).toEqual([false, true])
})

it('nobody is remembered for longer than a minute', () => {
  const habits = new ReadHabits()
  times(9, () => habits.wasQuick('ann', 0))
  habits.wasSlow('bob', 60_001)
  expect(habits.isMostlyQuick('ann')).toBe(false)
})

it('an account is alone until another one asks for something; the service itself is none', () => {
  const habits = new ReadHabits()
  habits.asks('ann')
  habits.asks(SERVICE.address)
  habits.asks('ann')
  expect(habits.hasOthers('ann')).toBe(false)
  habits.asks('bob')
  habits.asks('ann')
  expect(habits.hasOthers('ann')).toBe(true)
})

it('quick reads after slow ones do not make anybody slow again', () => {
  const habits = new ReadHabits()
  times(4, () => habits.wasSlow('ann', 0))
  habits.wasQuick('ann', 5000)
  expect(habits.isSlow('ann', 5000)).toBe(false)
})
