import { expect, it } from 'vitest'
import { LIMITS, soak, soakTable } from '#test/soak/soak.ts'
import { TEST_SEED } from '#test/support/chance.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

/** Other tests run beside it: how long an answer takes is judged by `npm run soak`; here, that each comes. */
const BUSY = { ...LIMITS, read: 10_000, write: 30_000, late: 30_000, growth: Infinity }

it(`the service serves honest clients while others do all the harm they can (TEST_SEED=${TEST_SEED})`, async () => {
  const rows = await soak({ milliseconds: 8000, limits: BUSY, engine: TEST_ENGINE })
  expect(
    rows.filter(({ met }) => !met),
    soakTable(rows),
  ).toEqual([])
}, 90_000)
