import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { countQuery } from '#web/data/counts-query.ts'
import { type Pinned, usePinned } from '#web/data/pins.ts'
import { tagCountsQuery } from '#web/data/tag-counts.ts'
import { Icon } from '#web/parts/icon.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import css from '#web/home/pinned.module.css'

/** Each costs a request. */
const MOST = 12

/** What one has pinned, each with how many items it has now. */
export function PinnedCards() {
  const pinned = usePinned()
  if (!pinned.length) return null
  return (
    <section className={css.pinned} aria-labelledby="pinned">
      <h2 id="pinned">Pinned</h2>
      <ul className={css.cards}>
        {pinned.slice(0, MOST).map((each) => (
          <li key={each.key}>
            <Link className={css.card} href={each.path}>
              {each.kind === 'tag' ? (
                <TagSign tag={each.key} size="m" />
              ) : (
                <Icon name={each.kind === 'view' ? 'view' : 'text'} size={20} />
              )}
              <strong>{each.name}</strong>
              {each.kind !== 'item' && (
                <span className={css.count}>
                  {each.view ? <OfView view={each.view} /> : <OfTag tag_id={each.key} />}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function OfView({ view }: { view: NonNullable<Pinned['view']> }) {
  return useQuery(countQuery(view.filter)).data?.toLocaleString() ?? '…'
}

function OfTag({ tag_id }: { tag_id: string }) {
  const counts = useQuery(tagCountsQuery).data
  return counts ? (counts.get(tag_id) ?? 0).toLocaleString() : '…'
}
