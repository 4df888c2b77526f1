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
