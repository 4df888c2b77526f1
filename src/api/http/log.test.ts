import { pino } from 'pino'
import { expect, it } from 'vitest'
import { logOptions } from '#src/api/http/log.ts'
import { ServiceError, unavailable } from '#src/domain/errors.ts'
import { readTookTooLong } from '#src/engine/ended.ts'

/** The entry of an error as it is written. */
function logged(err: unknown): Record<string, unknown> {
  let line = ''
  const { serializers } = logOptions('info') as { serializers: pino.LoggerOptions['serializers'] }
  pino({ serializers: serializers! }, { write: (text) => void (line = text) }).error({ err }, 'told')
  return (JSON.parse(line) as { err: Record<string, unknown> }).err
}

it('a failure that is foreseen is a line, and what it comes from has its stack', () => {
  const late = readTookTooLong(10_000)
  expect(logged(late)).toEqual({
    type: 'ServiceError',
    message: 'The query was ended after 10 s, the longest that it may take',
    stack: '',
    error_code: 'ServiceUnavailable',
  })
  late.cause = new Error('of the disk')
  expect(logged(late)).toMatchObject({ cause: { message: 'of the disk', stack: expect.any(String) } })
})

it('a bug has its stack, also where it came as a bland failure', () => {
  for (const bug of [new TypeError('x is not a function'), new ServiceError('InternalServerError', 'Failed')])
    expect(logged(bug)).toMatchObject({ stack: expect.stringContaining('log.test.ts') })
  expect(logged(unavailable('Out of reach'))).toHaveProperty('stack', '')
})
