import { useQuery } from '@tanstack/react-query'
import { useMayWrite } from '#web/data/may-write.ts'
import { meQuery, nameOfUser } from '#web/data/me-query.ts'
import { usePins } from '#web/data/pins.ts'
import { MOST_COUNTED, openProposalsQuery } from '#web/data/proposals-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { lookedAtQuery } from '#web/data/views-query.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Keys } from '#web/parts/keys.tsx'
import { Mark } from '#web/parts/mark.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { ROUTES } from '#web/routes.ts'
import { Bell } from '#web/shell/bell.tsx'
import { SideLine, SideSection } from '#web/shell/side-lines.tsx'
import { SideLately } from '#web/shell/side-lately.tsx'
import { SidePins } from '#web/shell/side-pins.tsx'
import { SideViews } from '#web/shell/side-views.tsx'
import { UserMenu } from '#web/shell/user-menu.tsx'
import css from '#web/shell/side-bar.module.css'

const hasPage = (path: string) => ROUTES.some((route) => route.path === path)

/** Where one can go: pages, views, tags. */
export function SideBar({ onFind }: { onFind: () => void }) {
  const tags = useTags()
  const views = useQuery({ ...lookedAtQuery, enabled: hasPage('/views/:id') })
  const me = useQuery(meQuery)
  const mayWrite = useMayWrite()
  const pins = usePins()
  const name = me.data ? nameOfUser(me.data) : ''
  return (
    <nav className={css.side} aria-label="Main">
      <p className={css.mark}>
        <Mark />
        Facet
        <Bell />
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
              nav &&
              (mayWrite || !nav.editors) && (
                <SideLine key={path} href={path}>
                  <Icon name={nav.icon} />
                  {title}
                  {path === '/proposals' && <OpenProposals />}
                </SideLine>
              ),
          )}
        </ul>
        <SidePins />
        {me.data && <SideLately user_id={me.data.user_id} pinned={pins} />}
        {me.data && !!views.data?.length && <SideViews views={views.data} user_id={me.data.user_id} />}
        {!!tags?.length && hasPage('/tags/:id') && (
          <SideSection title="Tags">
            {tags.map(({ tag_id, name }) => (
              <SideLine key={tag_id} href={`/tags/${tag_id}`}>
                <TagSign tag={tag_id} />
                <span>{name}</span>
              </SideLine>
            ))}
          </SideSection>
        )}
      </div>
      <UserMenu name={name} className={css.user} />
    </nav>
  )
}

/** How many wait for a decision. */
function OpenProposals() {
  const count = useQuery(openProposalsQuery).data ?? 0
  if (!count) return null
  return <span className={css.count}>{count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}</span>
}
