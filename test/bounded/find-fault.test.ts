import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFault, findLeak } from '#test/bounded/find-fault.ts'
import { MeasuredProcess } from '#test/bounded/measured-process.ts'

const TIMEOUT = 60_000
const LEAK_SIZE = 16_000

describe('what measures the work finds', { timeout: TIMEOUT }, () => {
  let flawed: MeasuredProcess
  beforeAll(async () => {
    flawed = await new MeasuredProcess('flawed').start()
  })
  afterAll(() => flawed.close())
  let salt = 0
  const post = (path: string) => (size: number) =>
    fetch(flawed.url + path, { method: 'POST', body: `${salt++}${'a'.repeat(size)}` }).then((each) =>
      each.text(),
    )

  it('what takes four times as long for twice as much', async () => {
    expect(await findFault(flawed, post('/quadratic'), 96 * 1024)).toMatch(/twice as much costs/)
  })
  it('what stops the event loop', async () => {
    expect(await findFault(flawed, post('/blocking'), 1000)).toMatch(/stops the event loop/)
  })
  it('what keeps something of each request', async () => {
    expect(await findLeak(flawed, post('/leaking'), LEAK_SIZE)).toMatch(/stay each time/)
  })
  it('nothing in what does none of these', async () => {
    expect(await findFault(flawed, post('/linear'), 256 * 1024)).toBeUndefined()
    expect(await findLeak(flawed, post('/linear'), LEAK_SIZE)).toBeUndefined()
  })
})
