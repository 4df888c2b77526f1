import { describe, expect, it } from 'vitest'
import { historyMessages, toStore, type TranscriptStep } from '#src/api/chat/transcript.ts'

const call = (id: string, result: string) => ({ id, name: 'get_item', arguments: { item_id: id }, result })
const step = (text: string, ...calls: TranscriptStep['calls']): TranscriptStep => ({ text, calls })

describe('what is stored of an answer', () => {
  it('is its text and its calls, long results shortened', () => {
    const [stored] = toStore([step('Look', call('a', 'x'.repeat(10_000)))])
    expect(stored).toMatchObject({ text: 'Look', calls: [{ id: 'a', arguments: { item_id: 'a' } }] })
    expect(stored!.calls[0]!.result.length).toBeLessThan(4200)
    expect(stored!.calls[0]!.result).toContain('10000 characters in all')
  })

  it('keeps the newest calls where there are too many, and every text', () => {
    const steps = Array.from({ length: 50 }, (_, n) => step(`${n}`, call(`${n}`, 'x'.repeat(4000))))
    const stored = toStore(steps)
    expect(stored.map(({ text }) => text)).toEqual(steps.map(({ text }) => text))
    expect(stored[0]!.calls).toEqual([])
    expect(stored.at(-1)!.calls).toHaveLength(1)
    expect(JSON.stringify(stored).length).toBeLessThan(70_000)
  })

  it('leaves out what says nothing', () => {
    expect(toStore([step(''), step('x')])).toEqual([step('x')])
  })
})

describe('what the model gets of before', () => {
  it('begins with something that the user said', () => {
    const told = historyMessages([
      { role: 'assistant', content: 'Left over', transcript: null },
      { role: 'user', content: 'Hello', transcript: null },
      { role: 'assistant', content: 'Hi', transcript: null },
    ])
    expect(told).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ])
  })

  it('has each call beside its result', () => {
    const transcript = JSON.stringify([step('Look', call('a', '{}')), step('Found')])
    const told = historyMessages([
      { role: 'user', content: 'Find', transcript: null },
      { role: 'assistant', content: 'Look\n\nFound', transcript },
    ])
    expect(told.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(JSON.stringify(told[2])).toContain('"toolCallId":"a"')
  })

  it('is the newest part of a long conversation', () => {
    const history = Array.from({ length: 100 }, (_, n) => ({
      role: n % 2 ? ('assistant' as const) : ('user' as const),
      content: `${n} ${'x'.repeat(10_000)}`,
      transcript: null,
    }))
    const told = historyMessages(history)
    expect(told.length).toBeGreaterThan(10)
    expect(told.length).toBeLessThan(21)
    expect(told[0]).toMatchObject({ role: 'user' })
    expect(told.at(-1)!.content).toBe(history.at(-1)!.content)
  })

  it('counts what is sent, not the text of an answer twice', () => {
    const answer = 'y'.repeat(45_000)
    const turn = [
      { role: 'user' as const, content: 'Go on', transcript: null },
      { role: 'assistant' as const, content: answer, transcript: JSON.stringify([step(answer)]) },
    ]
    expect(historyMessages([...turn, ...turn, ...turn, ...turn])).toHaveLength(8)
  })

  it('has the end of an answer that is too long, after the longest message', () => {
    const content = `Begun${'x'.repeat(300_000)}ended`
    const asked = { role: 'user' as const, content: 'z'.repeat(100_000), transcript: null }
    const transcript = JSON.stringify([step(content)])
    const [question, answer, ...more] = historyMessages([asked, { role: 'assistant', content, transcript }])
    expect(question).toEqual({ role: 'user', content: asked.content })
    expect(answer!.content).toMatch(/^\(the beginning is left out: 300010 characters in all\) …x+ended$/)
    expect(answer!.content).toHaveLength(100_000)
    expect(more).toEqual([])
  })
})
