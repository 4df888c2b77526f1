import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { meQuery } from '#web/data/me-query.ts'
import { Page } from '#web/parts/page.tsx'
import css from '#web/account/settings-tabs.module.css'

const TABS = [
  { path: '/settings/account', label: 'Account' },
  { path: '/settings/security', label: 'Security' },
  { path: '/settings/appearance', label: 'Appearance' },
  { path: '/settings/agents', label: 'Agents and keys' },
  { path: '/settings/webhooks', label: 'Webhooks', owner: true },
  { path: '/settings/members', label: 'Members', owner: true },
  { path: '/settings/backups', label: 'Backups', owner: true },
  { path: '/settings/log', label: 'Security log', owner: true },
]

/** A page of the settings with the way to the others. */
export function SettingsTabs({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  const [path] = useLocation()
  const isOwner = useQuery(meQuery).data?.role === 'owner'
  return (
    <div className={css.around}>
      <Page title={title} narrow>
        <nav className={css.tabs} aria-label="Settings">
          <div className={css.list}>
            {TABS.filter(({ owner }) => !owner || isOwner).map(({ path: to, label }) => (
              <Link key={to} href={to} className={css.tab} aria-current={path === to ? 'page' : undefined}>
                {label}
              </Link>
            ))}
          </div>
        </nav>
        {lead && <p className={css.lead}>{lead}</p>}
        {children}
      </Page>
    </div>
  )
}
