import { randomBytes } from 'node:crypto'
import type { Scope } from '#src/domain/caller.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char]!)

export interface Page {
  html: string
  headers: Record<string, string>
}

const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:Canvas;color:CanvasText}
main{max-width:26rem;padding:2rem;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.3}
dl{margin:1rem 0}dt{font-size:.85rem;opacity:.75}dd{margin:0 0 .6rem;font-weight:600}
fieldset{border:1px solid GrayText;border-radius:.5rem;margin:1rem 0;padding:.5rem 1rem}
label{display:block;padding:.25rem 0}
input[type=password],input[type=text]{font:inherit;width:100%;box-sizing:border-box;padding:.4rem}
button{font:inherit;padding:.5rem 1.2rem;margin:.25rem .5rem .25rem 0;border-radius:.4rem;border:1px solid GrayText;cursor:pointer}
button[value=allow]{background:#0b6e6e;border-color:#0b6e6e;color:#fff}
.fault{border-left:4px solid #b3261e;padding:.25rem .75rem}
.note{font-size:.9rem;opacity:.8}
`

/** @param formTargets where the answer to a form may send the browser on */
function page(title: string, body: string, formTargets: readonly string[] = []): Page {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    headers: {
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      // With `no-referrer` a form of our own would come without its origin.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Facet</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`,
  }
}

/** Something that ends here. */
export const noticePage = (title: string, words: string): Page =>
  page(title, `<p>${escaped(words)}</p>\n<p class="note">Go back to the app and begin again.</p>`)

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
  /** What the role of the account comes to. */
  role: string
  /** The ways in which the account can prove who it is; null: it need not now. */
  proofs: readonly string[] | null
  fault: string | null
}

/** Who asks, for which account, and for what; nothing is granted without a click. */
export function consentPage(question: Question): Page {
  const { app, client_uri, destination, account, user_id, fault } = question
  const body = `${fault === null ? '' : `<p class="fault" role="alert">${escaped(fault)}</p>`}
<dl>
<dt>The app calls itself</dt><dd>${escaped(app)}</dd>
${client_uri === null ? '' : `<dt>Its home page, as it says</dt><dd>${escaped(client_uri)}</dd>`}
<dt>Access goes to</dt><dd>${escaped(destination)}</dd>
<dt>It would act as</dt><dd>${escaped(account)}</dd>
</dl>
<form method="post" action="${escaped(question.action)}">
<input type="hidden" name="user_id" value="${escaped(user_id)}">
${scopeChoice(question)}
${proofFields(question)}
</form>
<form method="post" action="${escaped(question.action)}/other-account"><button>Use another account</button></form>
<p class="note">Allow only what you started yourself. You can end it at any time.</p>`
  return page(`Let ${app} use Facet?`, body, formTargets(question.redirect_uri))
}

function scopeChoice({ asked, role }: Question): string {
  const read = 'Read everything in this base'
  const write = 'Read and change what you may change'
  const lowered =
    role === 'reader'
      ? '<p class="note">Your role is reader: it can change your own views and chats only.</p>'
      : ''
  if (asked === 'read')
    return `<fieldset><legend>It asks to</legend><p>${read}</p><input type="hidden" name="scope" value="read"></fieldset>`
  return `<fieldset><legend>It may</legend>
<label><input type="radio" name="scope" value="write" checked> ${write}</label>
<label><input type="radio" name="scope" value="read"> ${read}, and change nothing</label>
${lowered}</fieldset>`
}

function proofFields({ proofs }: Question): string {
  const deny = '<button name="decision" value="deny" formnovalidate>Deny</button>'
  const allow = '<button name="decision" value="allow">Allow</button>'
  if (proofs === null) return `<p>${allow}${deny}</p>`
  const fields = [
    proofs.includes('password') &&
      '<label>Your password <input type="password" name="password" maxlength="1024" autocomplete="current-password"></label>',
    proofs.includes('totp') &&
      '<label>Or a code of your authenticator <input type="text" name="code" maxlength="100" inputmode="numeric" autocomplete="one-time-code"></label>',
  ].filter((each) => each !== false)
  if (!fields.length)
    return `<p>It is a while since you signed in: use “Use another account” to sign in again.</p><p>${deny}</p>`
  return `<fieldset><legend>Prove that it is you</legend>${fields.join('\n')}</fieldset><p>${allow}${deny}</p>`
}

/** The policy holds for redirects after a form too, and knows no IPv6 addresses. */
function formTargets(redirect_uri: string): string[] {
  const { protocol, origin, hostname } = new URL(redirect_uri)
  if (protocol !== 'https:' && protocol !== 'http:') return [protocol]
  return [hostname.startsWith('[') ? protocol : origin]
}
