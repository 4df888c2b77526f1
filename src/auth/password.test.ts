import { expect, it } from 'vitest'
import { Passwords } from '#src/auth/password.ts'

it('a hash takes what OWASP recommends for argon2id', async () => {
  const caller = { address: '192.0.2.1', session: null }
  const hash = await new Passwords().inTurn(caller, (work) => work.hash('correct horse'))
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

it('a flood from many addresses holds nobody up who has signed in before', async () => {
  const passwords = new Passwords()
  const done: string[] = []
  const wait = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    done.push(name)
  }
  const stranger = (i: number) => ({ address: `2001:db8:0:${i.toString(16)}::1`, session: null })
  const flood = Array.from({ length: 200 }, (_, i) => passwords.inTurn(stranger(i), wait('stranger')))
  const device = { id: 'x', account: '' }
  const known = passwords.inTurn({ address: '192.0.2.1', session: null, device }, wait('known'))
  await Promise.all([...flood, known])
  expect(done.indexOf('known')).toBeLessThan(6)
})
