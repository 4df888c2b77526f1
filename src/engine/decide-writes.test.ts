import { expect, it } from 'vitest'
import { AccountTimes } from '#src/engine/account-times.ts'
import { nextWrites } from '#src/engine/decide-writes.ts'
import type { Request } from '#src/engine/sqlite-messages.ts'

let seq = 0
const write = (account: string, alone?: true): Request => [
  ++seq,
  {
    name: 'createItem',
    caller: { user_id: account } as Request[1]['caller'],
    input: {},
    now: 0,
    ...(alone && { alone }),
  },
]

/** Accounts by what each of their last calls computed. */
function timesOf(computed: Record<string, number>): AccountTimes {
  const times = new AccountTimes()
  for (const [account, each] of Object.entries(computed))
    for (let i = 0; i < 8; i++) times.ran(account, each, 0)
  return times
}

it('whoever has used less is first, and each account has its own order', () => {
  const [one, two, three, four] = [write('ann'), write('bob'), write('ann'), write('bob')]
  expect(nextWrites([one, two, three, four], timesOf({ ann: 2, bob: 1 }), 64, 0)).toEqual([
    two,
    four,
    one,
    three,
  ])
  expect(nextWrites([one, two], new AccountTimes(), 64, 0)).toEqual([one, two])
})

it('what is expected to compute long does not share a transaction with what is soon done', () => {
  const [slow, quick] = [write('ann'), write('bob')]
  expect(nextWrites([slow, quick], timesOf({ ann: 40, bob: 1 }), 64, 0)).toEqual([quick])
  expect(nextWrites([slow], timesOf({ ann: 40 }), 64, 0)).toEqual([slow])
})

it('as many are made together as compute 25 ms, 64 at the most, and one that may be long by itself', () => {
  const many = Array.from({ length: 100 }, () => write('ann'))
  expect(nextWrites(many, timesOf({ ann: 0.1 }), 64, 0)).toHaveLength(64)
  expect(nextWrites(many, timesOf({ ann: 5 }), 64, 0)).toHaveLength(5)
  const large = write('bob', true)
  expect(nextWrites([large, ...many], timesOf({ ann: 0.1 }), 64, 0)).toEqual([large])
})
