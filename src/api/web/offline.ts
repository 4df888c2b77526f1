import { createHash } from 'node:crypto'
import { ICON_SVG } from '#src/api/web/installable.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const STYLE = `
:root { color-scheme: light dark }
:root[data-theme=light] { color-scheme: light }
:root[data-theme=dark] { color-scheme: dark }
body { display: grid; place-content: center; min-height: 90vh; margin: 0; padding: 24px; gap: 12px;
  background: light-dark(#fbfaf7, #151513); color: light-dark(#1d1b18, #eeebe4);
  font: 15px/1.6 Inter, system-ui, sans-serif }
main { max-width: 26rem }
svg { width: 48px; height: 48px }
svg path:first-child { fill: light-dark(#0b6e6e, #5cc7bd) }
svg path:last-child { stroke: light-dark(#fbfaf7, #151513) }
h1 { margin: 12px 0 4px; font-size: 22px; line-height: 1.3; letter-spacing: -.02em }
p { margin: 0 0 12px; color: light-dark(#5b564d, #b3ada1) }
ul { margin: 0 0 12px; padding-left: 1.2em }
button { min-height: 44px; padding: 0 16px; border: 0; border-radius: 8px; font: inherit; font-weight: 500;
  background: light-dark(#0b6e6e, #5cc7bd); color: light-dark(#fff, #06201e) }
button:focus-visible { outline: 2px solid light-dark(#0b6e6e, #5cc7bd); outline-offset: 2px }
`

/** What was typed and has no answer lies where web/data/unsent-edits.ts keeps it; as much of it is named. */
const SCRIPT = `
const theme = localStorage.getItem('facet.theme')
if (theme) document.documentElement.dataset.theme = theme
let waiting = []
for (const key of Object.keys(localStorage))
  if (key.startsWith('facet.unsent.'))
    try { waiting = waiting.concat(JSON.parse(localStorage.getItem(key))) } catch {}
const kept = document.getElementById('kept')
kept.textContent = waiting.length
  ? (waiting.length === 1 ? '1 value that you typed waits' : waiting.length + ' values that you typed wait') +
    ' in this browser, and will be sent:'
  : 'Nothing that you typed waits to be sent.'
const list = document.getElementById('list')
for (const { name, field } of waiting.slice(0, 5)) {
  const line = document.createElement('li')
  line.textContent = (field === null || field === undefined ? 'name' : field) + ' of ' + name
  list.append(line)
}
const look = async () => {
  const answer = await fetch('/api/health').catch(() => null)
  if (answer && answer.ok) location.reload()
  return answer
}
setInterval(look, 3000)
document.querySelector('button').addEventListener('click', async () => {
  const said = document.getElementById('said')
  said.textContent = 'Looking …'
  if (!(await look())) said.textContent = 'It does not answer yet.'
})
`

/** What an installed application begins with as long as the service does not answer. It is the same to everybody. */
export const OFFLINE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Facet does not answer</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${ICON_SVG.replace('<svg ', '<svg aria-hidden="true" ')}
<h1>Facet does not answer</h1>
<p>There is no connection to the service, or it is not running. This page looks again by itself and goes on where you wanted to go.</p>
<p id="kept"></p>
<ul id="list"></ul>
<button type="button">Look again</button>
<p id="said" role="status"></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`

export const OFFLINE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
} as const

/** A worker has the policy that its script comes with: it asks this host, and nobody else. */
export const WORKER_HEADERS = {
  'content-security-policy': "default-src 'none'; connect-src 'self'",
  'cache-control': 'no-cache',
} as const

const CACHE = `facet-offline-${createHash('sha256').update(OFFLINE_PAGE).digest('hex').slice(0, 12)}`

/**
 * The service worker of an installed application. It keeps that one page and nothing of the application, so that no
 * version is ever shown but the one that the service has; every other request passes it by.
 */
export const OFFLINE_WORKER = `
addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(caches.open('${CACHE}').then((cache) => cache.add(new Request('/offline', { cache: 'reload' }))))
})
addEventListener('activate', (event) => event.waitUntil(begin()))
async function begin() {
  for (const name of await caches.keys()) if (name !== '${CACHE}') await caches.delete(name)
  await registration.navigationPreload?.enable()
}
addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(answer(event))
})
async function answer(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    const kept = await caches.match('/offline')
    return kept ? new Response(kept.body, { status: 503, headers: kept.headers }) : Response.error()
  }
}
`
