import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelStep } from '#src/api/chat/model-step.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'

let provider: ModelProvider
beforeAll(async () => {
  provider = await startModelProvider()
})
afterAll(() => provider.close())

const step = (timeouts: { first: number; next: number }, kept = { left: 1000 }) =>
  modelStep({
    model: createOpenAICompatible({ name: 'local', baseURL: provider.url })('scripted'),
    instructions: 'Be brief.',
    messages: [{ role: 'user', content: 'Hello' }],
    tools: {},
    signal: new AbortController().signal,
    timeouts,
    kept,
  })

describe('a model that stalls', () => {
  it('is given up when its next piece does not come', async () => {
    provider.say({ text: ['One', 'two'], ending: 'stall' })
    const said: string[] = []
    await expect(async () => {
      for await (const piece of step({ first: 5000, next: 200 })) said.push(piece)
    }).rejects.toThrow('stopped answering')
    expect(said).toEqual(['One', 'two'])
  })

  it('is given up when its first piece does not come', async () => {
    provider.say({ text: ['Late'], pause: 5000 })
    const begun = performance.now()
    await expect(step({ first: 200, next: 5000 }).next()).rejects.toThrow('stopped answering')
    expect(performance.now() - begun).toBeLessThan(3000)
  })

  it('has more time for its first piece than for the next', async () => {
    provider.say({ text: [], pause: 300 })
    const { done, value } = await step({ first: 5000, next: 2000 }).next()
    expect({ done, value }).toEqual({ done: true, value: { text: '', calls: [], said: expect.anything() } })
  })
})

it('may not write more than is left for the message, whatever it writes', async () => {
  provider.say({ text: ['x'.repeat(600), 'y'.repeat(600)] })
  await expect(async () => {
    for await (const _ of step({ first: 5000, next: 5000 }));
  }).rejects.toThrow('wrote too much')
  const kept = { left: 1000 }
  provider.say({ calls: [{ name: 'add_item', arguments: 'z'.repeat(1200) }] })
  await expect(async () => {
    for await (const _ of step({ first: 5000, next: 5000 }, kept));
  }).rejects.toThrow('wrote too much')
})
