import fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendTogether } from '#src/api/http/send-together.ts'

const app = fastify()
app.addHook('onSend', sendTogether())
const happened: string[] = []
let release: PromiseWithResolvers<void>
let waiting = 0
let all: PromiseWithResolvers<void>
app.addHook('onRequest', ({ url }, { raw }, done) => {
  const end = raw.end.bind(raw) as (...given: unknown[]) => typeof raw
  raw.end = (...given: unknown[]) => {
    happened.push(`${url} sent`)
    return end(...given)
  }
  done()
})
/** Each is ready in the same turn as the others. */
app.get('/:name', async ({ url }, reply) => {
  if (++waiting === 3) all.resolve()
  await release.promise
  happened.push(`${url} ready`)
  if (url === '/broken') void reply.header('x-name', 'a\nb')
  return reply.send(url)
})
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => app.close())

/** The answers to three requests that are under way at once. */
async function answersTo(paths: readonly string[]): Promise<string[]> {
  happened.length = 0
  waiting = 0
  release = Promise.withResolvers()
  all = Promise.withResolvers()
  const { port } = app.server.address() as AddressInfo
  const answers = paths.map((path) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (response) => response.text(),
      () => 'broken off',
    ),
  )
  await all.promise
  release.resolve()
  return Promise.all(answers)
}

it('sends what is ready in one turn at its end', async () => {
  expect(await answersTo(['/a', '/b', '/c'])).toEqual(['/a', '/b', '/c'])
  expect(happened.map((each) => each.split(' ')[1])).toEqual([
    'ready',
    'ready',
    'ready',
    'sent',
    'sent',
    'sent',
  ])
})

it('sends the others where one cannot be sent', async () => {
  expect(await answersTo(['/a', '/broken', '/c'])).toEqual(['/a', 'broken off', '/c'])
})
