/** What the service writes into `/?auth_error=`, in words. */
const WORDS: Readonly<Record<string, string>> = {
  invalid_state: 'That sign-in was not begun in this browser, or it took too long. Begin again.',
  session_ended: 'Your session ended before the provider could be linked. Sign in, then link it again.',
  provider_error: 'The provider refused the sign-in.',
  access_denied: 'You cancelled at the provider, or it refused you.',
  exchange_failed: 'The answer of the provider could not be verified. Begin again.',
  provider_unavailable: 'The provider cannot be reached. Try again later, or sign in another way.',
  email_missing: 'The provider gave no e-mail address, and an account needs one.',
  email_unverified:
    'There is an account with this e-mail address, and the provider, or the account, has not proved whose it is. Sign in as you did before, then link the provider in your settings.',
  registration_refused:
    'There is no account for this e-mail address, and registration is not open to it. Ask for an invitation.',
  too_many_accounts:
    'Too many accounts were made from your network within the last hour. Try again later, or ask for an invitation.',
  no_role: 'The provider knows you, but says nothing of you that lets you in here. Ask its administrator.',
  identity_in_use: 'This identity is linked to another account.',
  proof_needed:
    'Linking a provider asks for a proof within the last ten minutes that it is you. Link it here, and you are asked for one.',
  service_failed: 'The service could not carry it out just now. Try again in a moment.',
}

/** A provider has names of its own; what is no name is not repeated. */
export function authErrorWords(error: string): string {
  const known = Object.hasOwn(WORDS, error) && WORDS[error]
  if (known) return known
  return /^[a-z_]{1,50}$/.test(error)
    ? `The provider refused the sign-in: ${error.replaceAll('_', ' ')}.`
    : 'Signing in with the provider did not work.'
}
