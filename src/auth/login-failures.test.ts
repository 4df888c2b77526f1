import { describe, expect, it } from 'vitest'
import { deviceKey, failureKey, failureKeys, retryAfter, SIGN_INS } from '#src/auth/login-failures.ts'

const now = new Date('2026-01-31T09:30:00.000Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
const ada = { email: 'ada@example.org', user_id: 'A' }
const key = (email: string, address: string) => failureKey({ ...ada, email }, { address })
const failures = (n: number) => Array.from({ length: n }, (_, i) => ago(600 - i))

describe('failed logins', () => {
  it('do not block before the tenth', () => {
    expect(retryAfter(failures(SIGN_INS.max - 1), now, SIGN_INS)).toBeNull()
  })
  it('block from the tenth until the window of the first has passed', () => {
    expect(retryAfter(failures(SIGN_INS.max), now, SIGN_INS)).toBe(300)
  })
  it('of the future, which a clock that had jumped ahead has left, count for nothing', () => {
    const ahead = Array.from({ length: 20 }, () => ago(-400 * 86_400))
    expect(retryAfter(ahead, now, SIGN_INS)).toBeNull()
    expect(retryAfter([...failures(SIGN_INS.max), ...ahead], now, SIGN_INS)).toBe(300)
  })
  it('are counted by account and address alone', () => {
    expect(key('Ada@Example.org', '192.0.2.1')).toBe(key('ada@example.org', '::ffff:192.0.2.1'))
    expect(key('ada@example.org', '192.0.2.1')).not.toBe(key('ada@example.org', '192.0.2.2'))
    expect(key('ada@example.org', '2001:db8::1')).toBe(key('ada@example.org', '2001:db8::2'))
    expect(key('ada@example.org', '192.0.2.1')).not.toContain('ada')
  })
  it('of a browser that has signed in before are judged by it alone, and count for its address too', () => {
    const device = { id: 'x', account: deviceKey(ada) }
    const from = { address: '192.0.2.1', device }
    expect(failureKey(ada, from)).not.toBe(key('ada@example.org', '192.0.2.1'))
    expect(failureKeys(ada, from)).toEqual([
      failureKey(ada, { address: '198.51.100.7', device }),
      key('ada@example.org', '192.0.2.1'),
    ])
    expect(failureKeys({ email: 'bob@example.org', user_id: 'A' }, from)).toEqual([
      key('bob@example.org', '192.0.2.1'),
    ])
    expect(failureKeys({ ...ada, user_id: 'B' }, from)).toEqual([key(ada.email, '192.0.2.1')])
  })
})
