// Honest clients and hostile ones at once: npm run soak -- [--minutes 10] [--engine postgres] [--only "wide filters" | --only none]
import { parseArgs } from 'node:util'
import { HARMS } from '#test/soak/hostile.ts'
import { ENGINES, LIMITS, soak, soakTable, type SoakEngine } from '#test/soak/soak.ts'
import { TEST_SEED } from '#test/support/chance.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, only: { type: 'string' }, engine: { type: 'string' } },
})
const minutes = Number(values.minutes ?? 10)
if (!(minutes > 0)) throw new Error('--minutes is a number above 0')
const engine = (values.engine ?? 'sqlite') as SoakEngine
if (!ENGINES.includes(engine)) throw new Error(`--engine is one of: ${ENGINES.join(', ')}`)
const { only } = values
const chosen = Object.keys(HARMS).filter((name) => only === undefined || name === only)
if (!chosen.length && only !== 'none')
  throw new Error(`--only is 'none' or one of: ${Object.keys(HARMS).join(', ')}`)
process.stdout.write(`TEST_SEED=${TEST_SEED}: the pauses of honest clients\n`)
const rows = await soak({ milliseconds: minutes * 60_000, limits: LIMITS, harms: chosen, engine })
const missed = rows.filter(({ met }) => !met).length
process.stdout.write(`${soakTable(rows)}\n${missed ? `${missed} missed` : 'All met'}\n`)
process.exitCode = missed ? 1 : 0
