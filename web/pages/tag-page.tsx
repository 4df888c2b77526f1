import { useEffect, useMemo } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { type Tag, useTags } from '#web/data/tags-query.ts'
import { IconButton } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { PinButton } from '#web/pages/pin-button.tsx'
import { FilteredTable } from '#web/pages/filtered-table.tsx'

/** The items of one tag. */
export function TagPage() {
  const { id } = useParams<{ id: string }>()
  const tags = useTags()
  const tag = tags?.find(({ tag_id }) => tag_id === id.toUpperCase())
  if (!tags) return null
  if (!tag)
    return (
      <EmptyState whole icon="search" title="There is no such tag">
        <p>
          It may have been deleted: look in the <Link href="/trash">trash</Link>.
        </p>
        <Link href="/tags">All tags</Link>
      </EmptyState>
    )
  return <TagTable key={tag.tag_id} tag={tag} allTags={tags} />
}

function TagTable({ tag, allTags }: { tag: Tag; allTags: readonly Tag[] }) {
  const [, go] = useLocation()
  const tags = useMemo(() => [tag], [tag])
  const base = useMemo(() => ({ has_tag: tag.tag_id }), [tag.tag_id])
  useEffect(() => {
    document.title = `${tag.name} · Facet`
  }, [tag.name])
  return (
    <FilteredTable
      title={tag.name}
      base={base}
      allTags={allTags}
      tags={tags}
      newTag={tag}
      storageKey={tag.tag_id}
      actions={
        <>
          <PinButton id={tag.tag_id} />
          <IconButton icon="edit" label="Fields" onClick={() => go(`/tags/${tag.tag_id}/schema`)} />
        </>
      }
    />
  )
}
