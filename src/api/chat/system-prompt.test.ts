import { expect, it } from 'vitest'
import { systemPrompt } from '#src/api/chat/system-prompt.ts'

it('says what day it is, how to filter, and where the tags are found', () => {
  const text = systemPrompt(new Date('2026-01-31T09:30:00.000Z'))
  expect(text).toContain('Today is 2026-01-31')
  expect(text).toContain('has_tag')
  expect(text).toContain('get_tags')
  expect(text).not.toContain('proposal')
  expect(systemPrompt(new Date(), 'propose')).toContain('proposal')
  expect(text.length).toBeLessThan(20_000)
})
