import type { WebManifest } from '#src/api/web/web-files.ts'

/** Pages that somebody who is signed in begins with; `web/routes.ts` has all of them. */
const PAGES: readonly (readonly [path: RegExp, part: string])[] = [
  [/^\/$/, 'web/pages/home-page.tsx'],
  [/^\/items\/?$/, 'web/pages/items-page.tsx'],
  [/^\/items\/[^/]+$/, 'web/pages/item-page.tsx'],
  [/^\/tags\/(?!new$)[^/]+$/, 'web/pages/tag-page.tsx'],
  [/^\/views\/[^/]+$/, 'web/pages/view-page.tsx'],
]
const SIGN_IN = 'web/pages/sign-in-page.tsx'
/** They are the same to everybody, signed in or not. */
const BARE = /^\/(?:sign-in|register|invite|reset|authorize)(?:\/|$)/

/** What the application asks at once, as its queries write it (`web/data/`). */
const SERVICE = '/api/service'
const OF_ACCOUNT = ['/api/auth/me', '/api/tags', '/api/views?shared=true&sort=position', '/api/preferences']

/**
 * The page of the application with what its address needs first named in its head, so that it comes with the start and
 * not one after the other behind it.
 * @param hasSession whether the browser has sent a session; whether it holds is for the calls to say
 */
export function pageWithFirst({ page, sizes }: WebManifest, path: string, hasSession: boolean): string {
  const inside = hasSession && !BARE.test(path)
  const part = inside ? PAGES.find(([pattern]) => pattern.test(path))?.[1] : SIGN_IN
  const scripts = sizes.find((each) => each.part === part)?.files ?? []
  const links = [
    ...scripts.map((name) => `<link rel="modulepreload" href="/${name}">`),
    ...[SERVICE, ...(inside ? OF_ACCOUNT : [])].map(
      (url) => `<link rel="preload" href="${url.replaceAll('&', '&amp;')}" as="fetch" crossorigin>`,
    ),
  ]
  return page.replace('</head>', () => `${links.join('\n')}\n</head>`)
}
