import { expect, it } from 'vitest'
import { Fault } from '#web/api/fault.ts'

const ID = '01M8M4YNSKKD476MXCKT3MYDK9'
const messageOf = (status: number, message: string) =>
  new Fault(status, { error: 'NotFound', message }).message

it.each([
  [404, `key '${ID}' not found`, 'There is no such key any more: it may have been deleted meanwhile'],
  [404, `Tag '${ID}' not found`, 'There is no such tag any more: it may have been deleted meanwhile'],
  // A name tells a person what is meant, and what is wrong with a question is said where it is asked.
  [404, "tag 'Chore' not found", "tag 'Chore' not found"],
  [404, 'There is no route GET /api/x', 'There is no route GET /api/x'],
  [400, `Tag '${ID}' not found`, `Tag '${ID}' not found`],
  [400, 'name: too long (and 2 more, see details.errors)', 'name: too long (and 2 more)'],
  [409, 'It moved (and 1 more, see details.conflicts)', 'It moved (and 1 more)'],
  [409, 'See details.errors, or not', 'See details.errors, or not'],
])('of a %i that says %s a person reads: %s', (status, message, words) => {
  expect(messageOf(status, message)).toBe(words)
})

it('leaves ids that programs need out of what a person may do', () => {
  const suggestion = `Use that tag (${ID}), or choose another name`
  const fault = new Fault(409, {
    error: 'Conflict',
    message: "A tag named 'Task' exists already",
    suggestion,
  })
  expect(fault.suggestion).toBe('Use that tag, or choose another name')
})

it.each([
  ['Invalid code', 'Give another', 'Invalid code. Give another.'],
  ['It does not answer.', 'Wait…', 'It does not answer. Wait…'],
  ['Invalid code', undefined, 'Invalid code'],
  ['Nothing is pending', 'Begin with POST /api/x', 'Nothing is pending'],
])('says %s and %s in full: %s', (message, suggestion, words) => {
  const fault = new Fault(400, { error: 'BadRequest', message, ...(suggestion && { suggestion }) })
  expect(fault.inFull).toBe(words)
})
