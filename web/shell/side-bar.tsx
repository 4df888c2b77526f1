import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { meQuery, nameOfUser } from '#web/data/me-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { viewsQuery } from '#web/data/views-query.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Keys } from '#web/parts/keys.tsx'
import { Mark } from '#web/parts/mark.tsx'
import { ROUTES } from '#web/routes.ts'
import css from '#web/shell/side-bar.module.css'

const UserMenu = lazy(() =>
  import('#web/shell/user-menu.tsx').then(({ UserMenu }) => ({ default: UserMenu })),
)

const hasPage = (path: string) => ROUTES.some((route) => route.path === path)

/** Where one can go: pages, views, tags. */
export function SideBar({ onFind }: { onFind: () => void }) {
  const tags = useTags()
  const views = useQuery({ ...viewsQuery, enabled: hasPage('/views/:id') })
  const me = useQuery(meQuery)
  const name = me.data ? nameOfUser(me.data) : ''
  return (
    <nav className={css.side} aria-label="Main">
      <p className={css.mark}>
        <Mark />
        Facet
      </p>
      <button type="button" className={css.find} onClick={onFind}>
        <Icon name="search" />
        <span>Find or do</span>
        <Keys keys="mod+k" />
      </button>
      <div className={css.lists}>
        <ul>
          {ROUTES.map(
            ({ path, title, nav }) =>
              nav && (
                <Line key={path} href={path}>
                  <Icon name={nav.icon} />
                  {title}
                </Line>
              ),
          )}
        </ul>
        {!!views.data?.length && (
          <Section title="Views">
            {views.data.map(({ view_id, name }) => (
              <Line key={view_id} href={`/views/${view_id}`}>
                <Icon name="view" />
                {name}
              </Line>
            ))}
          </Section>
        )}
        {!!tags?.length && hasPage('/tags/:id') && (
          <Section title="Tags">
            {tags.map(({ tag_id, name }) => (
              <Line key={tag_id} href={`/tags/${tag_id}`}>
                <Icon name="tag" />
                {name}
              </Line>
            ))}
          </Section>
        )}
      </div>
      <Suspense fallback={<p className={css.user}>{name}</p>}>
        <UserMenu name={name} className={css.user} />
      </Suspense>
    </nav>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

function Line({ href, children }: { href: string; children: ReactNode }) {
  const [path] = useLocation()
  // A tag has a line of its own.
  const here = path === href || (href !== '/' && href !== '/tags' && path.startsWith(`${href}/`))
  return (
    <li>
      <Link href={href} className={css.line} aria-current={here ? 'page' : undefined}>
        {children}
      </Link>
    </li>
  )
}
