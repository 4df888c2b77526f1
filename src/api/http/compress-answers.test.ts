import fastify from 'fastify'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { compressAnswer, compressedOnce } from '#src/api/http/compress-answers.ts'

const text = Array.from({ length: 300_000 }, (_, i) => `line ${i} `).join('')
const lasting = compressedOnce(Buffer.from(text))
const app = fastify()
app.addHook('onSend', compressAnswer)
app.get('/once', (_, reply) => reply.type('text/plain').send(lasting))
app.get('/each', (_, reply) => reply.type('text/plain').send(Buffer.from(text)))
afterAll(() => app.close())

/** Milliseconds of this process, all its threads. */
async function processorTime(url: string, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < times; n++) {
    const { rawPayload, headers } = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe('br')
    if (!n) expect(brotliDecompressSync(rawPayload).toString()).toBe(text)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

it('an answer that stays the same is compressed once', async () => {
  await processorTime('/once', 1)
  const each = await processorTime('/each', 10)
  expect(await processorTime('/once', 10)).toBeLessThan(each / 2)
})
