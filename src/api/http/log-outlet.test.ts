import { expect, it } from 'vitest'
import { LogOutlet } from '#src/api/http/log-outlet.ts'

it('a log that is written again says how many lines are not in it', () => {
  let text = ''
  let isFull = false
  const log = new LogOutlet({
    write(piece, taken) {
      if (!isFull) text += piece
      taken(isFull ? new Error('ENOSPC') : null)
    },
  })
  log.write('1\n')
  isFull = true
  log.write('2\n3\n')
  log.write('4\n')
  expect(text).toBe('1\n')
  isFull = false
  log.write('5\n')
  log.write('6\n')
  const [first, blank, lost = '', ...others] = text.split('\n')
  expect([first, blank, ...others]).toEqual(['1', '', '5', '6', ''])
  expect(JSON.parse(lost)).toMatchObject({ level: 40, msg: '3 lines of this log could not be written' })
})
