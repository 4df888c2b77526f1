import { describe, expect, it } from 'vitest'
import { domainOf, emailKey, EMAIL_PATTERN, isEmail } from '#src/auth/email.ts'
import { computed } from '#test/support/computed.ts'

const cases: [text: string, valid: boolean][] = [
  ['ada@example.org', true],
  ['a@localhost', true],
  ["o'hara+tag.!#$%&*/=?^_`{|}~-@a-b.example", true],
  ['ada@example.org.', false],
  ['ada@', false],
  ['@example.org', false],
  ['ada@ex ample.org', false],
  ['a@b@c', false],
  ['ada@-example.org', false],
  ['ada@example-.org', false],
  [`ada@${'x'.repeat(64)}.org`, false],
  ['ädä@example.org', false],
  ['ada', false],
  ['', false],
]

describe('e-mail addresses', () => {
  const pattern = new RegExp(EMAIL_PATTERN, 'u')
  for (const [text, valid] of cases)
    it(`${valid ? 'takes' : 'refuses'} '${text}'`, () => {
      expect(isEmail(text)).toBe(valid)
      expect(pattern.test(`\t ${text}\r\n`)).toBe(valid)
    })

  it('are the same whatever their case and the white space around them', () => {
    expect(emailKey(' Ada@Example.ORG\n')).toBe('ada@example.org')
    expect(domainOf('Ada@Example.ORG')).toBe('example.org')
  })

  it('are trimmed in a time that grows with their length alone', () => {
    const long = `x${' '.repeat(1_000_000)}x`
    const start = computed()
    expect(emailKey(long)).toBe(long)
    expect(computed() - start).toBeLessThan(2000)
  })
})
