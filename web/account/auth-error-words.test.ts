import { expect, it } from 'vitest'
import { authErrorWords } from '#web/account/auth-error-words.ts'

it.each([
  ['email_missing', /no e-mail address/],
  ['login_required', /refused the sign-in: login required\./],
  ['<script>', /^Signing in with the provider did not work\.$/],
  ['constructor', /refused the sign-in: constructor\./],
])('says %s in words', (error, words) => {
  expect(authErrorWords(error)).toMatch(words)
})
