import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { meQuery } from '#web/data/me-query.ts'
import { type Tag, useTags } from '#web/data/tags-query.ts'
import { type View, viewsQuery } from '#web/data/views-query.ts'
import { useWords } from '#web/filter/use-meaning.ts'
import { Words } from '#web/filter/words.tsx'
import { isTemplate } from '#web/rules/item-template.ts'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { Page, PageSection } from '#web/parts/page.tsx'
import css from '#web/pages/views-page.module.css'

const WHAT_A_VIEW_IS = 'A view keeps a filter under a name, with its order, groups and columns.'

/** All views with what they ask: one's own in their order, then those that others share. */
export function ViewsPage() {
  const views = useQuery(viewsQuery).data
  const me = useQuery(meQuery).data
  const tags = useTags()
  if (!views || !me || !tags) return null
  if (!views.length)
    return (
      <EmptyState whole icon="view" title="No views yet">
        <p>{WHAT_A_VIEW_IS} Narrow a table, then save it.</p>
        <Link href="/items">All items</Link>
      </EmptyState>
    )
  const own = views.filter(({ user_id }) => user_id === me.user_id)
  const shared = views.filter(({ user_id }) => user_id !== me.user_id)
  const all = [...own, ...shared]
  const templates = all.filter(isTemplate)
  const lines = (label: string, some: readonly View[]) => (
    <ul className={css.views} aria-label={label}>
      {some.map((view) => (
        <ViewLine key={view.view_id} view={view} tags={tags} isOwn={view.user_id === me.user_id} />
      ))}
    </ul>
  )
  return (
    <Page title="Views" lead={WHAT_A_VIEW_IS}>
      {templates.length < all.length &&
        lines(
          'Views',
          all.filter((view) => !isTemplate(view)),
        )}
      {templates.length > 0 && (
        <PageSection
          title="Templates of items"
          lead="New offers them next to the tag that they are of. What the filter of one asks for is what items begin with."
        >
          {lines('Templates', templates)}
        </PageSection>
      )}
    </Page>
  )
}

function ViewLine({ view, tags, isOwn }: { view: View; tags: readonly Tag[]; isOwn: boolean }) {
  const words = useWords(view.filter, tags)
  const whose = isOwn ? view.shared && 'You share it' : 'Shared by somebody else'
  return (
    <li className={css.view}>
      <Icon name={isTemplate(view) ? 'copy' : isOwn ? 'view' : 'users'} />
      <h2 className={css.name}>
        <Link href={`/views/${view.view_id}`} className={css.link}>
          {view.name}
        </Link>
      </h2>
      <span className={css.whose}>{whose}</span>
      <p className={css.words}>
        {words === null ? 'Its filter does not fit the tags any more.' : words && <Words text={words} />}
      </p>
    </li>
  )
}
