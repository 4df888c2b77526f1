import { expect, it } from 'vitest'
import { AccountTimes } from '#src/engine/account-times.ts'
import { type Bounds, nextWrites } from '#src/engine/decide-writes.ts'
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

const next = (waiting: readonly Request[], times: AccountTimes, more?: Partial<Bounds>) =>
  nextWrites(waiting, ([, call]) => call, times, { most: 64, now: 0, ...more })

it('whoever has used less is first, and each account has its own order', () => {
  const [one, two, three, four] = [write('ann'), write('bob'), write('ann'), write('bob')]
  expect(next([one, two, three, four], timesOf({ ann: 2, bob: 1 }))).toEqual([two, four, one, three])
  expect(next([one, two], new AccountTimes())).toEqual([one, two])
})

it('what is expected to compute long does not share a transaction with what is soon done', () => {
  const [slow, quick] = [write('ann'), write('bob')]
  expect(next([slow, quick], timesOf({ ann: 40, bob: 1 }))).toEqual([quick])
  expect(next([slow], timesOf({ ann: 40 }))).toEqual([slow])
})

it('as many are made together as compute 25 ms, 64 at the most, and one that may be long by itself', () => {
  const many = Array.from({ length: 100 }, () => write('ann'))
  expect(next(many, timesOf({ ann: 0.1 }))).toHaveLength(64)
  expect(next(many, timesOf({ ann: 5 }))).toHaveLength(5)
  const large = write('bob', true)
  expect(next([large, ...many], timesOf({ ann: 0.1 }))).toEqual([large])
})

it('all of one account go together where a transaction costs more than they do, until others wait', () => {
  const many = Array.from({ length: 100 }, () => write('ann'))
  const aloneAtOnce = true
  expect(next(many, timesOf({ ann: 5 }), { aloneAtOnce })).toHaveLength(64)
  const quick = write('bob')
  expect(next([...many, quick], timesOf({ ann: 5, bob: 1 }), { aloneAtOnce })).toEqual([
    quick,
    ...many.slice(0, 4),
  ])
  expect(next([...many, quick], timesOf({ ann: 40, bob: 1 }), { aloneAtOnce })).toEqual([quick])
})
