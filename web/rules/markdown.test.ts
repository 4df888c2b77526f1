import { describe, expect, it } from 'vitest'
import { markdown } from '#web/rules/markdown.ts'

describe('what models write', () => {
  it('comes in blocks', () => {
    const text =
      '# Tasks\nThere are **two**:\n\n- one\n- `two`\n1. first\n```\n<b>\n```\n| a | b |\n|---|---|\n| 1 | 2 |'
    expect(markdown(text).map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'list',
      'list',
      'code',
      'table',
    ])
    expect(markdown('<script>alert(1)</script>')).toEqual([
      { kind: 'paragraph', spans: [{ kind: 'text', text: '<script>alert(1)</script>' }] },
    ])
  })

  it.each([
    ['[x](javascript:alert(1))', 'text'],
    ['[x](//evil.example)', 'text'],
    ['[x](/items/1)', 'link'],
    ['[x](https://example.org)', 'link'],
  ])('%s is a %s', (text, kind) => {
    const [block] = markdown(text)
    expect(block?.kind === 'paragraph' && block.spans[0]?.kind).toBe(kind)
  })

  it('takes what is not finished yet', () => {
    expect(markdown('```\ncode')).toEqual([{ kind: 'code', text: 'code' }])
    expect(markdown('**not yet')).toEqual([
      { kind: 'paragraph', spans: [{ kind: 'text', text: '**not yet' }] },
    ])
    expect(markdown('')).toEqual([])
  })
})
