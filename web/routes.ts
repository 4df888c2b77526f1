import type { ComponentType } from 'react'
import type { IconName } from '#web/parts/icon.tsx'
import { loaded } from '#web/parts/loaded.tsx'

/** A page at its address. */
export interface PageRoute {
  /** As in `/tags/:id/schema`. */
  path: string
  /** What may follow the path while the page stays: `/:id?`. */
  rest?: string
  /** The title of the browser's tab until the page sets a better one. */
  title: string
  page: ComponentType
  /** Shown to anyone who is not signed in, without the side bar. */
  bare?: boolean
  /** A line in the side bar; `editors`: for those who may change the base. */
  nav?: { icon: IconName; keys?: string; editors?: boolean }
}

/** What people try, and where it leads. */
export const ALIASES: readonly (readonly [from: string, to: string])[] = [
  ['/settings', '/settings/account'],
  ['/assistant', '/chat'],
]

/** The first whose path fits is shown. A page is added here and nowhere else. */
export const ROUTES: readonly PageRoute[] = [
  {
    path: '/',
    title: 'Home',
    page: loaded(() => import('#web/pages/home-page.tsx').then(({ HomePage }) => HomePage)),
    nav: { icon: 'home', keys: 'g h' },
  },
  {
    path: '/sign-in',
    title: 'Sign in',
    bare: true,
    page: loaded(() => import('#web/pages/sign-in-page.tsx').then(({ SignInPage }) => SignInPage)),
  },
  {
    path: '/register',
    title: 'Register',
    bare: true,
    page: loaded(() => import('#web/pages/register-page.tsx').then(({ RegisterPage }) => RegisterPage)),
  },
  {
    path: '/invite/:token',
    title: 'Register',
    bare: true,
    page: loaded(() => import('#web/pages/register-page.tsx').then(({ RegisterPage }) => RegisterPage)),
  },
  {
    path: '/reset',
    title: 'New password',
    bare: true,
    page: loaded(() => import('#web/pages/reset-page.tsx').then(({ ResetPage }) => ResetPage)),
  },
  {
    path: '/items',
    title: 'Items',
    page: loaded(() => import('#web/pages/items-page.tsx').then(({ ItemsPage }) => ItemsPage)),
    nav: { icon: 'items', keys: 'g i' },
  },
  {
    path: '/items/:id',
    title: 'Item',
    page: loaded(() => import('#web/pages/item-page.tsx').then(({ ItemPage }) => ItemPage)),
  },
  {
    path: '/new',
    title: 'New item',
    page: loaded(() => import('#web/pages/new-page.tsx').then(({ NewPage }) => NewPage)),
  },
  {
    path: '/tags',
    title: 'Tags',
    page: loaded(() => import('#web/pages/tags-page.tsx').then(({ TagsPage }) => TagsPage)),
    nav: { icon: 'tag', keys: 'g t' },
  },
  {
    path: '/tags/new',
    title: 'New tag',
    page: loaded(() => import('#web/pages/tag-schema-page.tsx').then(({ NewTagPage }) => NewTagPage)),
  },
  {
    path: '/tags/:id/schema',
    title: 'Fields',
    page: loaded(() => import('#web/pages/tag-schema-page.tsx').then(({ TagSchemaPage }) => TagSchemaPage)),
  },
  {
    path: '/tags/:id',
    title: 'Tag',
    page: loaded(() => import('#web/pages/tag-page.tsx').then(({ TagPage }) => TagPage)),
  },
  {
    path: '/views',
    title: 'Views',
    page: loaded(() => import('#web/pages/views-page.tsx').then(({ ViewsPage }) => ViewsPage)),
    nav: { icon: 'view', keys: 'g v' },
  },
  {
    path: '/views/:id',
    title: 'View',
    page: loaded(() => import('#web/pages/view-page.tsx').then(({ ViewPage }) => ViewPage)),
  },
  {
    path: '/chat',
    rest: '/:id?',
    title: 'Assistant',
    page: loaded(() => import('#web/pages/chat-page.tsx').then(({ ChatPage }) => ChatPage)),
    nav: { icon: 'sparkle', keys: 'g a' },
  },
  {
    path: '/history',
    title: 'History',
    page: loaded(() => import('#web/pages/history-page.tsx').then(({ HistoryPage }) => HistoryPage)),
    nav: { icon: 'history', keys: 'g y' },
  },
  {
    path: '/history/:change',
    title: 'Change',
    page: loaded(() => import('#web/pages/change-page.tsx').then(({ ChangePage }) => ChangePage)),
  },
  {
    path: '/proposals',
    title: 'Proposals',
    page: loaded(() => import('#web/pages/proposals-page.tsx').then(({ ProposalsPage }) => ProposalsPage)),
    nav: { icon: 'check', keys: 'g p', editors: true },
  },
  {
    path: '/proposals/:id',
    title: 'Proposal',
    page: loaded(() => import('#web/pages/proposal-page.tsx').then(({ ProposalPage }) => ProposalPage)),
  },
  {
    path: '/notifications',
    title: 'Notifications',
    page: loaded(() =>
      import('#web/pages/notifications-page.tsx').then(({ NotificationsPage }) => NotificationsPage),
    ),
  },
  {
    path: '/import',
    title: 'Import',
    page: loaded(() => import('#web/pages/import-page.tsx').then(({ ImportPage }) => ImportPage)),
  },
  {
    path: '/import/:id',
    title: 'Import',
    page: loaded(() => import('#web/pages/import-page.tsx').then(({ ImportPage }) => ImportPage)),
  },
  {
    // The service shows it in place of a file that it cannot give.
    path: '/api/files/:id',
    title: 'File',
    page: loaded(() => import('#web/pages/no-file-page.tsx').then(({ NoFilePage }) => NoFilePage)),
  },
  {
    path: '/trash',
    title: 'Trash',
    page: loaded(() => import('#web/pages/trash-page.tsx').then(({ TrashPage }) => TrashPage)),
    nav: { icon: 'trash', keys: 'g x' },
  },
  {
    path: '/settings/account',
    title: 'Account',
    page: loaded(() =>
      import('#web/pages/account-settings-page.tsx').then(({ AccountSettingsPage }) => AccountSettingsPage),
    ),
  },
  {
    path: '/settings/security',
    title: 'Security',
    page: loaded(() =>
      import('#web/pages/security-settings-page.tsx').then(
        ({ SecuritySettingsPage }) => SecuritySettingsPage,
      ),
    ),
  },
  {
    path: '/settings/appearance',
    title: 'Appearance',
    page: loaded(() =>
      import('#web/pages/appearance-settings-page.tsx').then(
        ({ AppearanceSettingsPage }) => AppearanceSettingsPage,
      ),
    ),
  },
  {
    path: '/settings/agents',
    title: 'Agents and keys',
    page: loaded(() =>
      import('#web/pages/agents-settings-page.tsx').then(({ AgentsSettingsPage }) => AgentsSettingsPage),
    ),
  },
  {
    path: '/settings/webhooks',
    title: 'Webhooks',
    page: loaded(() =>
      import('#web/pages/webhooks-settings-page.tsx').then(
        ({ WebhooksSettingsPage }) => WebhooksSettingsPage,
      ),
    ),
  },
  {
    path: '/settings/members',
    title: 'Members',
    page: loaded(() =>
      import('#web/pages/members-settings-page.tsx').then(({ MembersSettingsPage }) => MembersSettingsPage),
    ),
  },
  {
    path: '/settings/backups',
    title: 'Backups',
    page: loaded(() =>
      import('#web/pages/backups-settings-page.tsx').then(({ BackupsSettingsPage }) => BackupsSettingsPage),
    ),
  },
  {
    path: '/settings/log',
    title: 'Security log',
    page: loaded(() =>
      import('#web/pages/log-settings-page.tsx').then(({ LogSettingsPage }) => LogSettingsPage),
    ),
  },
]
