import { expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { AccountTimes } from '#src/engine/account-times.ts'

it('an account has used what its calls computed, half of it after five seconds', () => {
  const times = new AccountTimes()
  times.ran('ann', 8, 0)
  times.ran('ann', 8, 0)
  expect([times.used('ann', 0), times.used('ann', 5000), times.used('bob', 0)]).toEqual([16, 8, 0])
})

it('its next call is expected to compute what the last ones did', () => {
  const times = new AccountTimes()
  expect(times.typical('ann')).toBe(1)
  times.ran('ann', 4, 0)
  expect(times.typical('ann')).toBe(4)
  for (let i = 0; i < 100; i++) times.ran('ann', 12, 0)
  expect(times.typical('ann')).toBeCloseTo(12)
})

it('one long call among many short ones neither is expected again nor puts its account behind all others', () => {
  const times = new AccountTimes()
  for (let i = 0; i < 20; i++) times.ran('ann', 1, 0)
  times.ran('ann', 5000, 0)
  expect(times.typical('ann')).toBeLessThan(10)
  expect(times.used('ann', 0)).toBe(70)
})

it('an account that asks for nothing is forgotten after ten minutes', () => {
  const times = new AccountTimes()
  times.ran('ann', 40, 1)
  times.ran('bob', 1, 600_002)
  expect([times.typical('ann'), times.typical('bob')]).toEqual([1, 1])
})

it('there is somebody whose calls are light for two seconds after one, who is not the service itself', () => {
  const times = new AccountTimes()
  times.ran('ann', 11, 0)
  times.ran(SERVICE.address, 1, 0)
  expect(times.hasLight(0)).toBe(false)
  times.ran('bob', 10, 0)
  expect([times.hasLight(1999), times.hasLight(2000)]).toEqual([true, false])
})
