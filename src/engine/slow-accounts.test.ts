import { expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { SlowAccounts } from '#src/engine/slow-accounts.ts'

it('an account is alone until another one asks for something; the service itself is none', () => {
  const slow = new SlowAccounts()
  slow.asks('ann')
  slow.asks(SERVICE.address)
  slow.asks('ann')
  expect(slow.hasOthers('ann')).toBe(false)
  slow.asks('bob')
  slow.asks('ann')
  expect(slow.hasOthers('ann')).toBe(true)
})

it('an account is slow by what its long reads have lately computed, and one unlucky read makes none slow', () => {
  const slow = new SlowAccounts()
  slow.add('ann', 100, 0)
  expect(slow.has('ann', 0)).toBe(false)
  for (let at = 0; at < 10_000; at += 100) slow.hold('ann', at)
  slow.add('ann', 100, 10_000)
  expect(slow.has('ann', 10_000)).toBe(false)
  slow.add('ann', 100, 10_000)
  expect([slow.has('ann', 10_000), slow.has('ann', 11_000)]).toEqual([true, false])
})

it('an account stays slow while what was long waits, and for a while after it', () => {
  const slow = new SlowAccounts()
  for (let at = 0; at <= 5000; at += 20) slow.add('ann', 20, at)
  for (let at = 5000; at <= 15_000; at += 20) slow.hold('ann', at)
  expect([slow.has('ann', 16_900), slow.has('ann', 17_100)]).toEqual([true, false])
  // What is long forgotten does not come back with the next read that waits.
  slow.hold('ann', 60_000)
  expect(slow.has('ann', 60_000)).toBe(false)
})
