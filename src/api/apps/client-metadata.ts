import { hidesSomething } from '#src/domain/names.ts'

const MAX_URIS = 20
const MAX_URI = 2000
const MAX_CLIENT_NAME = 200
const GRANTS = ['authorization_code', 'refresh_token']
/** URLs allow more, e.g. `a;script-src` and `a,b`; such a host would stand in a policy, and before a person, as something else. */
const HOSTNAME = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+\.?$|^\[[0-9a-f:.]+\]$/
/** A browser runs or shows them itself: they lead to no app. */
const OF_BROWSERS = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:'])
const LOOPBACKS = new Set(['localhost', '127.0.0.1', '[::1]'])

const UNSEEN_WORDS =
  'must hold neither blanks nor characters that are not seen or turn the text around them; encode them (%E2%80%AE)'

/** What the fault is reported as. */
type Refuse = (message: string) => Error

/**
 * Brings what a client says of itself to what is done here: a public client that asks for codes. What would lead a code
 * over an open wire, or to where a reader cannot see which, is refused.
 * @throws what `refuse` makes
 */
export function checkClientMetadata(metadata: Record<string, unknown>, refuse: Refuse): void {
  const { redirect_uris } = metadata
  if (!Array.isArray(redirect_uris) || !redirect_uris.length || redirect_uris.length > MAX_URIS)
    throw refuse(`redirect_uris must be a list of 1 to ${MAX_URIS} addresses`)
  const urls = redirect_uris.map((uri) => redirectUrl(uri, refuse))
  if (metadata.client_uri) checkHomePage(metadata.client_uri, refuse)
  if ((metadata.token_endpoint_auth_method ?? 'none') !== 'none')
    throw refuse('token_endpoint_auth_method must be none: apps have no secret here, PKCE stands in for it')
  const native = urls.some(({ protocol }) => protocol !== 'https:')
  const wanted = Array.isArray(metadata.grant_types) ? metadata.grant_types : GRANTS
  delete metadata.scope
  // Made for a registration that names no method, which stands for a secret in RFC 7591; here there are none.
  delete metadata.client_secret
  delete metadata.client_secret_expires_at
  delete metadata.jwks
  delete metadata.jwks_uri
  Object.assign(metadata, {
    application_type: native ? 'native' : 'web',
    grant_types: GRANTS.filter((each) => each === GRANTS[0] || wanted.includes(each)),
    response_types: ['code'],
    response_modes: ['query'],
    ...(typeof metadata.client_name === 'string' && {
      client_name: metadata.client_name.slice(0, MAX_CLIENT_NAME),
    }),
  })
}

function redirectUrl(uri: unknown, refuse: Refuse): URL {
  if (typeof uri !== 'string' || uri.length > MAX_URI || !URL.canParse(uri))
    throw refuse('redirect_uris must hold addresses')
  if (hidesSomething(uri)) throw refuse(`redirect_uris ${UNSEEN_WORDS}`)
  const url = new URL(uri)
  if (url.username || url.password) throw refuse('redirect_uris must not name a user')
  if (uri.includes('#')) throw refuse('redirect_uris must not have a fragment')
  if (OF_BROWSERS.has(url.protocol)) throw refuse(`redirect_uris must not begin with ${url.protocol}`)
  if (/^https?:$/.test(url.protocol) && !HOSTNAME.test(url.hostname))
    throw refuse('redirect_uris must name a host of letters, digits, dots and hyphens, or an address')
  if (url.protocol === 'http:' && !LOOPBACKS.has(url.hostname))
    throw refuse('redirect_uris must be https, http on a loopback address, or a scheme of an app')
  return url
}

/** A person reads it on the page that asks. */
function checkHomePage(uri: unknown, refuse: Refuse): void {
  if (typeof uri !== 'string' || uri.length > MAX_URI || !URL.canParse(uri))
    throw refuse(`client_uri must be an address of at most ${MAX_URI} characters`)
  const { protocol, username, password } = new URL(uri)
  if (!/^https?:$/.test(protocol)) throw refuse('client_uri must begin with https://')
  if (username || password) throw refuse('client_uri must not name a user')
  if (hidesSomething(uri)) throw refuse(`client_uri ${UNSEEN_WORDS}`)
}

/** Where a code goes, in words that a person can judge. */
export function redirectHost(uri: string): string {
  const { protocol, host, hostname } = new URL(uri)
  if (protocol === 'http:' && LOOPBACKS.has(hostname)) return `this computer (${hostname})`
  return protocol === 'https:' ? host : `an app on this computer (${protocol}//)`
}
