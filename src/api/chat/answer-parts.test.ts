import { describe, expect, it } from 'vitest'
import { AnswerParts } from '#src/api/chat/answer-parts.ts'

const KIB_64 = 64 * 1024

describe('the parts of an answer', () => {
  it('stand in the order in which they came; text that goes on is one part', () => {
    const parts = new AnswerParts()
    parts.text('Let me ')
    parts.text('look.')
    parts.toolCall({ name: 'get_item', arguments: { item_id: 'x' }, result: '{"a":1}', change_id: undefined })
    parts.component({ id: '1', title: 'Chart', js: 'export default 1', css: '' })
    parts.text('Done.')
    expect(parts.toStore()).toEqual([
      { type: 'text', text: 'Let me look.' },
      {
        type: 'tool_call',
        name: 'get_item',
        arguments: { item_id: 'x' },
        status: 'completed',
        result: { a: 1 },
      },
      { type: 'react_render', id: '1', title: 'Chart', js: 'export default 1', css: '' },
      { type: 'text', text: 'Done.' },
    ])
  })

  it.each(['x', '\u0000', 'ü', '😀', '"'])('of %j are cut to 64 KiB and say so', (character) => {
    const long = character.repeat(100_000)
    const parts = new AnswerParts()
    parts.text(long)
    parts.toolCall({ name: 'a', arguments: { long }, result: JSON.stringify({ long }), change_id: 'c' })
    parts.component({ id: '1', title: long, js: long, css: long })
    parts.toolCall({ name: long, arguments: { long }, result: '{}', change_id: undefined })
    for (const part of parts.toStore()) {
      const bytes = Buffer.byteLength(JSON.stringify(part))
      expect(bytes).toBeLessThanOrEqual(KIB_64)
      // Of a component nothing is left.
      if (part.type !== 'react_render') expect(bytes).toBeGreaterThan(KIB_64 - 10)
      expect(part.truncated).toBe(true)
    }
    expect(parts.toStore()[1]).toMatchObject({ change_id: 'c', result: expect.stringMatching(/^\{"long":/) })
  })

  it('keep what is short beside what is long', () => {
    const parts = new AnswerParts()
    const result = JSON.stringify('x'.repeat(100_000))
    parts.toolCall({ name: 'a', arguments: { item_id: 'x' }, result, change_id: undefined })
    const [part] = parts.toStore()
    expect(part).toMatchObject({ arguments: { item_id: 'x' }, truncated: true })
    expect(Buffer.byteLength(JSON.stringify(part))).toBeGreaterThan(KIB_64 - 10)
  })

  it('are shorter where there are very many', () => {
    const parts = new AnswerParts()
    for (let i = 0; i < 200; i++)
      parts.toolCall({
        name: 'a',
        arguments: {},
        result: JSON.stringify('x'.repeat(60_000)),
        change_id: undefined,
      })
    expect(Buffer.byteLength(JSON.stringify(parts.toStore()))).toBeLessThan(3 * 2 ** 20)
  })
})
