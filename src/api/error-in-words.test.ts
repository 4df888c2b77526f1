import { describe, expect, it } from 'vitest'
import { errorInWords } from '#src/api/error-in-words.ts'
import { conflict, invalid, notFound, tooManyRequests } from '#src/domain/errors.ts'

describe('an error as a model reads it', () => {
  it('names the place of its only fault, once', () => {
    const errors = [{ path: 'tags[7].tag_ref.Existing', message: 'x' }]
    expect(errorInWords(notFound('Tag', 'Tsk', { details: { errors } }))).toBe(
      "Tag 'Tsk' not found (tags[7].tag_ref.Existing)",
    )
    expect(errorInWords(invalid([{ path: 'name', message: 'is required' }]))).toBe('name: is required')
    expect(errorInWords(invalid([{ path: '', message: 'expected an object' }]))).toBe('expected an object')
  })

  it('advises once what several faults have in common', () => {
    const fault = (path: string, suggestion: string) => ({ path, message: 'not found', suggestion })
    const errors = [fault('a', 'List them'), fault('b', 'List them'), fault('c', 'Use the id')]
    expect(errorInWords(invalid(errors, { suggestion: 'List them' }))).toBe(
      '3 faults:\n- a: not found\n- b: not found\n- c: not found (Use the id)\nList them',
    )
  })

  it('has what its message sends to', () => {
    const conflicts = [{ item_id: 'A', path: 'Task.a', reason: 'It has another value now' }]
    expect(errorInWords(conflict('Not all of it', { suggestion: 'Skip', details: { conflicts } }))).toBe(
      `Not all of it\nSkip\n${JSON.stringify({ details: { conflicts } })}`,
    )
    expect(errorInWords(tooManyRequests('Too many', 7))).toBe('Too many\n{"details":{"retry_after":7}}')
  })

  it('has of much the beginning, without what is long', () => {
    const one = { item_id: 'A', path: 'description', present: 'x'.repeat(5000) }
    const words = errorInWords(
      conflict('No', { details: { conflicts: Array.from({ length: 2000 }, () => one) } }),
    )
    expect(words.length).toBeLessThan(31_000)
    const { details } = JSON.parse(words.split('\n')[1]!)
    expect(details).toMatchObject({ truncated: true })
    expect(details.conflicts.length).toBeGreaterThan(100)
    expect(details.conflicts[0]).toEqual({ item_id: 'A', path: 'description' })
  })
})
