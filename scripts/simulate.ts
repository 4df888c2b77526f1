// Plays worlds from seeds: npm run simulate -- [--seeds 10000] [--from 1] [--only "the relay"]
import { parseArgs } from 'node:util'
import { SIMULATIONS } from '#test/simulation/simulations.ts'

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, from: { type: 'string' }, only: { type: 'string' } },
})
const seeds = Number(values.seeds ?? 10_000)
const from = Number(values.from ?? 1)
if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(from))
  throw new Error('--seeds is a number of worlds from 1 on, --from the first seed')
const chosen = Object.entries(SIMULATIONS).filter(([name]) => !values.only || name === values.only)
if (!chosen.length) throw new Error(`--only is one of: ${Object.keys(SIMULATIONS).join(', ')}`)

let failed = 0
for (const [name, simulate] of chosen) {
  const start = performance.now()
  let done = 0
  for (let seed = from; seed < from + seeds; seed++)
    try {
      done += await simulate(seed)
    } catch (fault) {
      failed++
      process.stdout.write(
        `${name}: seed ${seed}: ${(fault as Error).message}\n  again: npm run simulate -- --only "${name}" --from ${seed} --seeds 1\n`,
      )
    }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  process.stdout.write(`${name}: ${seeds} worlds, ${done} acknowledged or heard, ${seconds} s\n`)
}
if (failed) {
  process.stdout.write(`${failed} failed\n`)
  process.exitCode = 1
}
