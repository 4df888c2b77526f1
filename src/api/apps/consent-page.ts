import { randomBytes } from 'node:crypto'
import type { WebLook } from '#src/api/web/web-files.ts'
import type { Scope } from '#src/domain/caller.ts'
import { plainName } from '#src/domain/names.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** A name as it is shown: what it says of direction ends with it (Unicode UAX #9). */
const isolated = (text: string) => `<bdi>${escaped(plainName(text))}</bdi>`
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char]!)

export interface Page {
  html: string
  headers: Record<string, string>
}

/** Besides the application's own sheet, whose colours and sizes these are. */
const STYLE = `
main{display:grid;place-items:center;align-content:center;min-height:100dvh;padding:24px 16px}
.card{display:grid;gap:24px;width:min(25rem,100%);overflow-wrap:anywhere}
header,form,fieldset,.ways{display:grid;gap:12px}
form{gap:24px}
fieldset{min-width:0;margin:0;padding:0;border:0}
legend,dt,.label{font-size:var(--t-sm);font-weight:500;color:var(--ink-2)}
legend{padding:0;margin-bottom:6px}
.label{display:grid;gap:6px}
.mark .stone{fill:var(--accent)}.mark .cut{fill:none;stroke:var(--paper)}
dl{display:grid;border:1px solid var(--line);border-radius:var(--r-3);background:var(--card)}
dl div{display:grid;gap:2px;padding:12px 16px}dl div+div{border-top:1px solid var(--line)}dd{font-weight:500}
.choice{display:flex;gap:12px;align-items:flex-start;padding:12px 16px;border:1px solid var(--line-strong);border-radius:var(--r-2);background:var(--card);cursor:pointer}
.choice:has(:checked){border-color:var(--accent);background:var(--accent-soft)}
.choice input{flex:none;width:16px;height:16px;margin:3px 0 0;accent-color:var(--accent)}
input[type=password],input[type=text]{width:100%;height:36px;padding:0 12px;border:1px solid var(--line-strong);border-radius:var(--r-2);background:var(--card)}
button{width:100%;height:40px;padding:0 12px;border:1px solid var(--line);border-radius:var(--r-2);background:var(--card);font-weight:500;text-align:center}
button:hover{background:var(--hover)}
button[value=allow]{border-color:transparent;background:var(--accent);color:var(--accent-ink)}
button[value=allow]:hover{background:var(--accent-hover)}
.plain button{width:auto;height:auto;padding:0;border:0;background:none;color:var(--accent);font-size:var(--t-sm);text-decoration:underline;text-underline-offset:3px}
.fault{padding:8px 12px;border:1px solid var(--danger);border-radius:var(--r-2);background:var(--card);color:var(--danger)}
summary{cursor:pointer;font-weight:500}
.tags{display:grid;gap:8px;max-height:12rem;margin:12px 0;padding:12px 16px;overflow:auto;border:1px solid var(--line);border-radius:var(--r-2);background:var(--card)}
.tags label{display:flex;gap:8px;align-items:baseline}
.note{color:var(--ink-2);font-size:var(--t-sm)}
@media (forced-colors:active){button,.choice{border-color:ButtonBorder}.choice:has(:checked){outline:2px solid Highlight}}
`

const MARK = `<svg class="mark" width="36" height="36" viewBox="0 0 20 20" aria-hidden="true"><path class="stone" d="M10 1 18 6v8l-8 5-8-5V6z"/><path class="cut" d="M10 1v18M2 6l16 8M18 6 2 14"/></svg>`

interface PageParts {
  title: string
  /** As HTML; without it, the title. */
  heading?: string
  /** Under the heading. */
  lead: string
  body: string
  /** Where the answer to a form may send the browser on. */
  formTargets?: readonly string[]
  /** A passkey may be used: by the page's script, which calls the service. */
  passkey?: boolean
}

/** @param look null where the application could not be built: the page is plain then */
function page({ formTargets = [], passkey = false, ...parts }: PageParts, look: WebLook | null): Page {
  const nonce = randomBytes(16).toString('base64')
  return {
    headers: {
      'content-security-policy': policyOf(nonce, formTargets, passkey),
      'x-frame-options': 'DENY',
      // With `no-referrer` a form of our own would come without its origin.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    html: htmlOf({ ...parts, passkey }, nonce, look),
  }
}

const policyOf = (nonce: string, formTargets: readonly string[], passkey: boolean): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    ...(passkey ? ["connect-src 'self'"] : []),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const htmlOf = (
  { title, heading, lead, body, passkey }: PageParts,
  nonce: string,
  look: WebLook | null,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Facet</title>
${look ? linksTo(look) : ''}
${look && passkey ? `<script src="/${look.consent}" defer></script>` : ''}
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<div class="card">
<header>
${MARK}
<h1>${heading ?? escaped(title)}</h1>
${lead}
</header>
${body}
</div>
</main>
</body>
</html>
`

const linksTo = ({ theme, font, style }: WebLook) => `<script src="/${theme}"></script>
<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/${style}">`

/** Something that ends here. */
export const noticePage = (title: string, words: string, look: WebLook | null): Page =>
  page(
    {
      title,
      lead: `<p>${escaped(words)}</p>`,
      body: '<p class="note">Go back to the app and begin again.</p>',
    },
    look,
  )

export interface Question {
  /** Address of the form. */
  action: string
  app: string
  client_uri: string | null
  /** In words: where the access goes. */
  destination: string
  redirect_uri: string
  account: string
  user_id: string
  asked: Scope
  /** What the role of the account allows. */
  role: string
  /** The ways in which the account can prove who it is; null: it need not now. */
  proofs: readonly string[] | null
  fault: string | null
  /** What was chosen before the question is asked again. */
  chosen: Scope
  /** By which what it sees can be limited. */
  tags: readonly { tag_id: string; name: string }[]
  chosen_tags: readonly string[]
}

/** Says which app asks, for which account, and for what; nothing is granted without a click. */
export function consentPage(question: Question, look: WebLook | null): Page {
  const { app, account, user_id, fault } = question
  const asksForProof = !!question.proofs?.some((each) => each !== 'passkey')
  // Where a proof is asked for, what is wrong with it stands next to it.
  const body = `${asksForProof ? '' : faultNote(fault)}
${whoAsks(question)}
<form method="post" action="${escaped(question.action)}">
<input type="hidden" name="user_id" value="${escaped(user_id)}">
${scopeChoice(question)}
${tagChoice(question)}
${proofFields(question)}
</form>
<form class="plain" method="post" action="${escaped(question.action)}/other-account">
<p class="note">Signed in as ${isolated(account)}. <button>Use another account</button></p>
</form>
<p class="note">Allow only what you started yourself. You can end it at any time, under Settings, Agents and keys.</p>`
  return page(
    {
      title: `Let ${plainName(app)} use Facet?`,
      heading: `Let ${isolated(app)} use Facet?`,
      lead: `<p>It would act as <strong>${isolated(account)}</strong>, and all that it does is recorded under its name.</p>`,
      body,
      formTargets: formTargets(question.redirect_uri),
      passkey: !!question.proofs?.includes('passkey'),
    },
    look,
  )
}

const faultNote = (fault: string | null) =>
  fault === null ? '' : `<p class="fault" role="alert" id="fault">${escaped(fault)}</p>`

function whoAsks({ app, client_uri, destination }: Question): string {
  const line = (term: string, text: string) => `<div><dt>${term}</dt><dd>${isolated(text)}</dd></div>`
  return `<dl>
${line('The app calls itself', app)}
${client_uri === null ? '' : line('Its home page, as it says', client_uri)}
${line('Access goes to', destination)}
</dl>`
}

function scopeChoice({ asked, role, chosen }: Question): string {
  const read = 'Read everything in this base'
  const write = 'Read and change what you may change'
  const propose = 'Read everything, and propose changes: nothing changes until somebody accepts it'
  const lowered =
    role === 'reader'
      ? '<p class="note">Your role is reader: it can change your own views and chats only.</p>'
      : ''
  if (asked === 'read')
    return `<fieldset><legend>It asks to</legend><p>${read}</p><input type="hidden" name="scope" value="read"></fieldset>`
  const choice = (scope: Scope, words: string) =>
    `<label class="choice"><input type="radio" name="scope" value="${scope}"${chosen === scope ? ' checked' : ''}> <span>${words}</span></label>\n`
  return `<fieldset><legend>It may</legend><div class="ways">
${asked === 'write' ? choice('write', write) : ''}${choice('propose', propose)}${choice('read', `${read}, and change nothing`)}${lowered}</div></fieldset>`
}

/** Nothing chosen is everything. */
function tagChoice({ tags, chosen_tags }: Question): string {
  if (!tags.length) return ''
  const boxes = tags.map(
    ({ tag_id, name }) =>
      `<label><input type="checkbox" name="tag_id" value="${escaped(tag_id)}"${chosen_tags.includes(tag_id) ? ' checked' : ''}> ${isolated(name)}</label>`,
  )
  return `<details${chosen_tags.length ? ' open' : ''}><summary>Let it see items with certain tags only</summary><div class="tags" role="group" aria-label="Tags">
${boxes.join('\n')}
</div><p class="note">Without a tag chosen it sees everything. Other tags and items do not exist for it.</p></details>`
}

function proofFields({ proofs, account, fault }: Question): string {
  const deny = '<button name="decision" value="deny" formnovalidate>Deny</button>'
  const allow = '<button name="decision" value="allow">Allow</button>'
  if (proofs === null) return `<div class="ways">${allow}${deny}</div>`
  const again = fault === null ? '' : ' autofocus aria-describedby="fault"'
  const fields = [
    proofs.includes('password') &&
      `<label class="label">Your password <input type="password" name="password" maxlength="1024" autocomplete="current-password"${again}></label>`,
    proofs.includes('totp') &&
      `<label class="label">${proofs.includes('password') ? 'Or a' : 'A'} code of your authenticator <input type="text" name="code" maxlength="100" inputmode="numeric" autocomplete="one-time-code"${proofs.includes('password') ? '' : again}></label>`,
  ].filter((each) => each !== false)
  // Shown by its script, where the browser knows passkeys.
  const passkey = proofs.includes('passkey')
    ? `<button type="button" data-passkey="${escaped(account)}" hidden>Allow with a passkey</button><p class="note" role="alert" data-passkey-fault></p>`
    : ''
  if (!fields.length)
    return `<p>It is a while since you signed in: ${passkey && 'use a passkey, or '}use “Use another account” to sign in again.</p><div class="ways">${passkey}${deny}</div>`
  return `<fieldset><legend>Prove that it is you</legend><div class="ways">${faultNote(fault)}${fields.join('\n')}</div></fieldset><div class="ways">${allow}${passkey}${deny}</div>`
}

/** The policy holds for redirects after a form too, and knows no IPv6 addresses. */
function formTargets(redirect_uri: string): string[] {
  const { protocol, origin, hostname } = new URL(redirect_uri)
  if (protocol !== 'https:' && protocol !== 'http:') return [protocol]
  // Whatever was registered before: nothing but a host gets into the policy.
  return [/^[a-z0-9._-]+$/.test(hostname) ? origin : protocol]
}
