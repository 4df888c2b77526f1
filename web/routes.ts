import { type ComponentType, lazy } from 'react'
import type { IconName } from '#web/parts/icon.tsx'

/** A page at its address. */
export interface PageRoute {
  /** As in `/tags/:id/schema`. */
  path: string
  /** The title of the browser's tab until the page sets a better one. */
  title: string
  page: ComponentType
  /** Shown to whoever is not signed in, without the side bar. */
  bare?: boolean
  /** A line in the side bar. */
  nav?: { icon: IconName; keys?: string }
}

/** Loaded when it is first opened. */
const page = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }))

/** The first whose path fits is shown. A page is added here and nowhere else. */
export const ROUTES: readonly PageRoute[] = [
  {
    path: '/',
    title: 'Home',
    page: page(() => import('#web/pages/home-page.tsx').then(({ HomePage }) => HomePage)),
    nav: { icon: 'home', keys: 'g h' },
  },
  {
    path: '/sign-in',
    title: 'Sign in',
    bare: true,
    page: page(() => import('#web/pages/sign-in-page.tsx').then(({ SignInPage }) => SignInPage)),
  },
  {
    path: '/register',
    title: 'Register',
    bare: true,
    page: page(() => import('#web/pages/register-page.tsx').then(({ RegisterPage }) => RegisterPage)),
  },
  {
    path: '/invite/:token',
    title: 'Register',
    bare: true,
    page: page(() => import('#web/pages/register-page.tsx').then(({ RegisterPage }) => RegisterPage)),
  },
  {
    path: '/items',
    title: 'Items',
    page: page(() => import('#web/pages/items-page.tsx').then(({ ItemsPage }) => ItemsPage)),
    nav: { icon: 'items', keys: 'g i' },
  },
  {
    path: '/items/:id',
    title: 'Item',
    page: page(() => import('#web/pages/item-page.tsx').then(({ ItemPage }) => ItemPage)),
  },
  {
    path: '/tags',
    title: 'Tags',
    page: page(() => import('#web/pages/tags-page.tsx').then(({ TagsPage }) => TagsPage)),
    nav: { icon: 'tag', keys: 'g t' },
  },
  {
    path: '/tags/new',
    title: 'New tag',
    page: page(() => import('#web/pages/tag-schema-page.tsx').then(({ NewTagPage }) => NewTagPage)),
  },
  {
    path: '/tags/:id/schema',
    title: 'Fields',
    page: page(() => import('#web/pages/tag-schema-page.tsx').then(({ TagSchemaPage }) => TagSchemaPage)),
  },
  {
    path: '/tags/:id',
    title: 'Tag',
    page: page(() => import('#web/pages/tag-page.tsx').then(({ TagPage }) => TagPage)),
  },
  {
    path: '/views/:id',
    title: 'View',
    page: page(() => import('#web/pages/view-page.tsx').then(({ ViewPage }) => ViewPage)),
  },
  {
    path: '/chat',
    title: 'Assistant',
    page: page(() => import('#web/pages/chat-page.tsx').then(({ ChatPage }) => ChatPage)),
    nav: { icon: 'sparkle', keys: 'g a' },
  },
  {
    path: '/chat/:id',
    title: 'Assistant',
    page: page(() => import('#web/pages/chat-page.tsx').then(({ ChatPage }) => ChatPage)),
  },
  {
    path: '/history',
    title: 'History',
    page: page(() => import('#web/pages/history-page.tsx').then(({ HistoryPage }) => HistoryPage)),
    nav: { icon: 'history', keys: 'g y' },
  },
  {
    path: '/history/:change',
    title: 'Change',
    page: page(() => import('#web/pages/change-page.tsx').then(({ ChangePage }) => ChangePage)),
  },
  {
    path: '/import',
    title: 'Import',
    page: page(() => import('#web/pages/import-page.tsx').then(({ ImportPage }) => ImportPage)),
  },
  {
    path: '/trash',
    title: 'Trash',
    page: page(() => import('#web/pages/trash-page.tsx').then(({ TrashPage }) => TrashPage)),
    nav: { icon: 'trash', keys: 'g x' },
  },
  {
    path: '/settings/account',
    title: 'Account',
    page: page(() =>
      import('#web/pages/account-settings-page.tsx').then(({ AccountSettingsPage }) => AccountSettingsPage),
    ),
  },
  {
    path: '/settings/security',
    title: 'Security',
    page: page(() =>
      import('#web/pages/security-settings-page.tsx').then(
        ({ SecuritySettingsPage }) => SecuritySettingsPage,
      ),
    ),
  },
  {
    path: '/settings/appearance',
    title: 'Appearance',
    page: page(() =>
      import('#web/pages/appearance-settings-page.tsx').then(
        ({ AppearanceSettingsPage }) => AppearanceSettingsPage,
      ),
    ),
  },
  {
    path: '/settings/agents',
    title: 'Agents and keys',
    page: page(() =>
      import('#web/pages/agents-settings-page.tsx').then(({ AgentsSettingsPage }) => AgentsSettingsPage),
    ),
  },
  {
    path: '/settings/webhooks',
    title: 'Webhooks',
    page: page(() =>
      import('#web/pages/webhooks-settings-page.tsx').then(
        ({ WebhooksSettingsPage }) => WebhooksSettingsPage,
      ),
    ),
  },
  {
    path: '/settings/members',
    title: 'Members',
    page: page(() =>
      import('#web/pages/members-settings-page.tsx').then(({ MembersSettingsPage }) => MembersSettingsPage),
    ),
  },
  {
    path: '/settings/log',
    title: 'Security log',
    page: page(() =>
      import('#web/pages/log-settings-page.tsx').then(({ LogSettingsPage }) => LogSettingsPage),
    ),
  },
]
