import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import type { Engine } from '#src/engine/engine.ts'
import { readOrKept } from '#src/operations/kept-answers.ts'
import { startProbeEngine } from '#test/support/probe-engine.ts'

let engine: Engine
beforeAll(async () => {
  engine = await startProbeEngine()
})
afterAll(() => engine.close())

const call = (name: string, input: object = {}) => ({ name, caller: SERVICE, input, now: 1_000_000_000_000 })
const ask = (input: object = {}, caller = SERVICE) => readOrKept(engine, { ...call('notes', input), caller })
const note = (text: string) => engine.write(call('note', { note: text }))

describe('answers that are kept', () => {
  it('come from memory the third time, the very same', async () => {
    const [first, second] = [await ask(), await ask()]
    expect(second).not.toBe(first)
    expect(await ask()).toBe(second)
  })

  it('are never from before a write that was answered', async () => {
    for (let i = 0; i < 50; i++) {
      await note(`note ${i}`)
      for (let again = 0; again < 3; again++) expect(JSON.parse((await ask()).json)).toContain(`note ${i}`)
    }
  })

  it('are shared by those who ask while it is being answered', async () => {
    await ask({ which: 'shared' })
    const [one, other] = await Promise.all([ask({ which: 'shared' }), ask({ which: 'shared' })])
    expect(one).toBe(other)
  })

  it('differ by input and by user', async () => {
    const someone = { ...SERVICE, user_id: '01K00000000000000000000000' }
    const asked = async () => [await ask({ a: 1 }), await ask({ a: 2 }), await ask({ a: 1 }, someone)]
    await asked()
    await asked()
    expect(new Set(await asked()).size).toBe(3)
  })

  it('are not kept when they fail', async () => {
    const failing = () => readOrKept(engine, call('die'))
    await expect(failing()).rejects.toThrow('broke off')
    await expect(failing()).rejects.toThrow('broke off')
    await expect(failing()).rejects.toThrow('broke off')
    expect(JSON.parse((await ask()).json)).toContain('note 49')
  })

  it('are not kept where nobody can tell what has been written', async () => {
    const blind: Engine = { ...engine, version: () => null }
    const blindly = () => readOrKept(blind, call('notes', { blind: true }))
    await blindly()
    expect(await blindly()).not.toBe(await blindly())
  })
})
