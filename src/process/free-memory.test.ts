import { spawnSync } from 'node:child_process'
import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { collectGarbage } from '#src/process/free-memory.ts'

/** Takes 300 MB in small blocks, frees all but every fiftieth, and says how many MB the process holds before and after. */
const PROGRAM = `
  import { giveBackBeside } from '#src/process/give-back.ts'
  const MB = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
  let blocks = Array.from({ length: 3000 }, () => Buffer.allocUnsafeSlow(100_000).fill(1))
  blocks = blocks.filter((_, i) => i % 50 === 0)
  gc()
  await new Promise((resume) => setTimeout(resume, 200))
  gc()
  const before = MB()
  const can = await giveBackBeside()
  console.log(JSON.stringify([before, MB(), can, blocks.length]))
`
const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } }
const hasIt = process.platform === 'linux' && header.glibcVersionRuntime !== undefined

/** Loaded into each thread, where it keeps 60 MB. */
const LARGE = '--import=data:text/javascript,globalThis.kept=Array.from({length:1500000},(_,i)=>({i}))'

it.runIf(hasIt).each([
  ['by itself', ''],
  ['with what NODE_OPTIONS loads', LARGE],
])('free memory between what lives goes back to the system, without a warning, %s', (_, NODE_OPTIONS) => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '--eval', PROGRAM],
    { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS } },
  )
  expect(stderr).toBe('')
  const [before, after, can] = JSON.parse(stdout) as [number, number, boolean]
  expect(can).toBe(true)
  expect(before - after).toBeGreaterThan(200)
})

it('garbage of this thread goes at a word', () => {
  const megabytes = () => getHeapStatistics().total_heap_size / 2 ** 20
  const much: object[] = []
  for (let i = 0; i < 3_000_000; i++) much.push({ i })
  const before = megabytes()
  much.length = 0
  collectGarbage()
  expect(before - megabytes()).toBeGreaterThan(20)
})

it('pages with little in them are emptied as the last resort', () => {
  const megabytes = () => getHeapStatistics().total_physical_size / 2 ** 20
  collectGarbage('last-resort')
  const before = megabytes()
  let much = Array.from({ length: 1_000_000 }, (_, i) => ({ i, text: `text ${i}` }))
  much = much.filter((_, i) => i % 50 === 0)
  collectGarbage()
  const regular = megabytes() - before
  collectGarbage('last-resort')
  expect(megabytes() - before).toBeLessThan(regular / 2)
  expect(much.length).toBe(20_000)
})

/** Keeps some 60 MB, makes and drops many times as much, and says to how many MB its heap grew. */
const BUSY = `
  import { getHeapStatistics } from 'node:v8'
  import { boundHeaps } from '#src/process/free-memory.ts'
  if (process.argv[1] === 'bound') boundHeaps()
  const lives = Array.from({ length: 500_000 }, (_, i) => ({ i, text: 'text ' + i }))
  const lately = []
  let most = 0
  for (let n = 0; n < 1000; n++) {
    lately[n % 64] = Array.from({ length: 20_000 }, (_, i) => ({ i }))
    most = Math.max(most, getHeapStatistics().total_heap_size)
    if (n % 8 === 0) await new Promise(setImmediate)
  }
  console.log(Math.round(most / 2 ** 20), lives.length)
`

it('a busy heap grows less where it is bounded', () => {
  const grown = (how: string) =>
    Number.parseInt(
      spawnSync(process.execPath, ['--input-type=module', '--eval', BUSY, how], { encoding: 'utf8' }).stdout,
    )
  const [free, bound] = [grown('free'), grown('bound')]
  expect(bound).toBeGreaterThan(0)
  expect(bound).toBeLessThan(0.85 * free)
})
