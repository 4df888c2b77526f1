import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, Redirect, useSearchParams } from 'wouter'
import { useLinkedMeanwhile } from '#web/account/link-provider.ts'
import { latestChangesQuery } from '#web/data/changes-query.ts'
import { useMayWrite } from '#web/data/may-write.ts'
import { meQuery, nameOfUser, type User } from '#web/data/me-query.ts'
import { lookedAtQuery } from '#web/data/views-query.ts'
import { tagCountsQuery } from '#web/data/tag-counts.ts'
import { type Tag, useTags } from '#web/data/tags-query.ts'
import { ChangesLine } from '#web/history/changes-line.tsx'
import { Decisions } from '#web/home/decisions.tsx'
import { DueSoon } from '#web/home/due.tsx'
import { EmptyBase } from '#web/home/empty-base.tsx'
import { FindBox } from '#web/home/find-box.tsx'
import { PinnedCards } from '#web/home/pinned.tsx'
import { LatelySeen } from '#web/home/lately-seen.tsx'
import { Section } from '#web/home/section.tsx'
import { lastHere } from '#web/home/since-last.ts'
import { Icon } from '#web/parts/icon.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { isAgent } from '#web/rules/change-words.ts'
import { digest, digestWords } from '#web/rules/digest.ts'
import { sayShort } from '#web/rules/say-time.ts'
import css from '#web/pages/home-page.module.css'

/** Where one begins: find, views, tags, and what others did meanwhile. */
export function HomePage() {
  const me = useQuery(meQuery).data
  const tags = useTags()
  const mayWrite = useMayWrite()
  const error = useSearchParams()[0].get('auth_error')
  const linked = useLinkedMeanwhile(me)
  // Somebody who is signed in wanted to link a provider, which is done in the settings.
  if (error !== null)
    return <Redirect to={`/settings/security?${new URLSearchParams({ auth_error: error })}`} replace />
  if (linked !== undefined)
    return <Redirect to={`/settings/security?${new URLSearchParams({ linked })}`} replace />
  if (!me || !tags) return null
  if (!tags.length) return <EmptyBase mayWrite={mayWrite} />
  return (
    <div className={css.page}>
      <h1>Hello, {nameOfUser(me)}</h1>
      <FindBox />
      <PinnedCards />
      <Decisions />
      <DueSoon tags={tags} />
      <Lately me={me} />
      <Views me={me} />
      <Tags tags={tags} />
      <LatelySeen me={me} />
      <nav className={css.more} aria-label="More">
        {MORE.map(({ path, label }) => (
          <Link key={path} href={path}>
            {label}
          </Link>
        ))}
      </nav>
    </div>
  )
}

/** Of each kind; what happened lately is to be in sight. */
const MOST_CARDS = 24

const allOf = (count: number, kind: string): string =>
  count > MOST_CARDS ? `All ${count.toLocaleString()} ${kind}` : `All ${kind}`

/** What has no button on a phone. */
const MORE = [
  { path: '/items', label: 'All items' },
  { path: '/views', label: 'Views' },
  { path: '/import', label: 'Import' },
  { path: '/trash', label: 'Trash' },
  { path: '/settings/account', label: 'Settings' },
] as const

function Views({ me }: { me: User }) {
  const { data: views = [] } = useQuery(lookedAtQuery)
  if (!views.length) return null
  return (
    <Section title="Views" more={<Link href="/views">{allOf(views.length, 'views')}</Link>}>
      <ul className={css.cards}>
        {views.slice(0, MOST_CARDS).map(({ view_id, name, ...view }) => (
          <li key={view_id}>
            <Link className={css.card} href={`/views/${view_id}`}>
              <Icon name="view" />
              <strong>{name}</strong>
              {view.user_id !== me.user_id && <span>shared</span>}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Tags({ tags }: { tags: readonly Tag[] }) {
  const counts = useQuery(tagCountsQuery).data
  return (
    <Section title="Tags" more={<Link href="/tags">{allOf(tags.length, 'tags')}</Link>}>
      <ul className={css.cards}>
        {tags.slice(0, MOST_CARDS).map(({ tag_id, name }) => (
          <li key={tag_id}>
            <Link className={css.card} href={`/tags/${tag_id}`}>
              <TagSign tag={tag_id} size="m" />
              <strong>{name}</strong>
              <span>{counts && (counts.get(tag_id) ?? 0).toLocaleString()}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const MOST = 8
/** Changes of which that many sentences are made. */
const READ = 100

function Lately({ me }: { me: User }) {
  const since = useMemo(() => lastHere(me.user_id), [me.user_id])
  const { data: found } = useQuery(latestChangesQuery(READ, since ?? undefined))
  const { data: lately = [] } = useQuery({
    ...latestChangesQuery(READ),
    enabled: found?.length === 0 || since === null,
  })
  // One's own work is no news.
  const news = since ? (found ?? []).filter((change) => change.user_id !== me.user_id || isAgent(change)) : []
  const shown = digest(news.length ? news : lately).slice(0, MOST)
  if (!shown.length) return null
  return (
    <Section
      title={news.length && since ? `Since you were here, ${sayShort(since)}` : 'Lately'}
      more={<Link href="/history">All changes</Link>}
    >
      <ul className={css.changes}>
        {shown.map((changes) => (
          <ChangesLine key={changes[0]!.change_id} changes={changes} words={digestWords(changes)} />
        ))}
      </ul>
    </Section>
  )
}
