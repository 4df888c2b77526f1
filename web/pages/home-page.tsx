import { useQuery } from '@tanstack/react-query'
import { meQuery, nameOfUser } from '#web/data/me-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { EmptyState } from '#web/parts/empty-state.tsx'
import css from '#web/pages/home-page.module.css'

export function HomePage() {
  const me = useQuery(meQuery).data
  const tags = useTags()
  if (!me || !tags) return null
  if (!tags.length)
    return (
      <EmptyState whole title="This base is empty">
        <p>
          A tag is a kind of thing with fields of its own, like Task or Person. Connect an agent, or use the{' '}
          <a href="/api/swagger-ui/">explorer</a>, to make the first one.
        </p>
      </EmptyState>
    )
  return (
    <div className={css.page}>
      <h1>Hello, {nameOfUser(me)}</h1>
      <ul className={css.tags}>
        {tags.map(({ tag_id, name, fields }) => (
          <li key={tag_id}>
            <a className={css.tag} href={`/tags/${tag_id}`}>
              <strong>{name}</strong>
              <span>{Object.keys(fields).join(', ') || 'No fields'}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
