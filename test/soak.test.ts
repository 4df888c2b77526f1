import { expect, it } from 'vitest'
import { HARMS } from '#test/soak/hostile.ts'
import { LIMITS, soak, soakTable } from '#test/soak/soak.ts'
import { TEST_SEED } from '#test/support/chance.ts'
import { runs } from '#test/support/runs.ts'

/** Other tests run beside it: how long an answer takes is judged by `npm run soak`; here, that each comes. */
const BUSY = { ...LIMITS, read: 10_000, write: 30_000, late: 30_000, growth: Infinity }
/** They cost the one who does them much, whose processor is that of the other tests: `npm run soak` does them. */
const COSTLY = [
  'unknown keys at the sign-in',
  'encodings by the thousand',
  'thousands of sockets of one address',
  'groups by three keys',
  'values by the hundred thousand',
]
const harms = Object.keys(HARMS).filter((name) => !COSTLY.includes(name))

it(`the service serves honest clients while others do all the harm they can (TEST_SEED=${TEST_SEED})`, async () => {
  const rows = await soak({ milliseconds: runs(4000, 12_000), limits: BUSY, harms })
  expect(
    rows.filter(({ met }) => !met),
    soakTable(rows),
  ).toEqual([])
}, 180_000)
