import { Link } from 'wouter'
import type { Tag } from '#web/data/tags-query.ts'
import { Icon } from '#web/parts/icon.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import type { TagNode } from '#web/rules/tag-tree.ts'
import css from '#web/tag/tag-cards.module.css'

interface TagCardsProps {
  nodes: readonly TagNode<Tag>[]
  counts: ReadonlyMap<string, number> | undefined
  mayWrite: boolean
}

/** Tags with what they hold; those that extend one are under it. */
export function TagCards({ nodes, counts, mayWrite }: TagCardsProps) {
  return (
    <ul className={css.tags}>
      {nodes.map(({ tag, below }) => (
        <li key={tag.tag_id} className={css.node}>
          <article className={css.card}>
            <TagSign tag={tag.tag_id} size="m" />
            <h2 className={css.name}>
              <Link href={`/tags/${tag.tag_id}`} className={css.link}>
                {tag.name}
              </Link>
            </h2>
            <span className={css.count}>{counts && countWords(counts.get(tag.tag_id) ?? 0)}</span>
            <p className={css.fields}>{Object.keys(tag.fields).join(' · ') || 'No fields'}</p>
            {tag.description && <p className={css.about}>{tag.description}</p>}
            <Link
              href={`/tags/${tag.tag_id}/schema`}
              className={css.edit}
              aria-label={`Fields of ${tag.name}`}
            >
              <Icon name={mayWrite ? 'edit' : 'eye'} />
            </Link>
          </article>
          {below.length > 0 && <TagCards nodes={below} counts={counts} mayWrite={mayWrite} />}
        </li>
      ))}
    </ul>
  )
}

const countWords = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'item' : 'items'}`
