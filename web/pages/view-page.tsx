import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Link, useParams } from 'wouter'
import { useTableState } from '#web/data/table-state.ts'
import { type Tag, useTags } from '#web/data/tags-query.ts'
import { type View, viewQuery, viewsQuery } from '#web/data/views-query.ts'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { tagsAskedFor } from '#web/rules/column.ts'
import { PinButton } from '#web/pages/pin-button.tsx'
import { FilteredTable } from '#web/pages/filtered-table.tsx'

/** What a saved view shows. */
export function ViewPage() {
  const { id } = useParams<{ id: string }>()
  const views = useQuery(viewsQuery).data
  const tags = useTags()
  const listed = views?.find(({ view_id }) => view_id === id.toUpperCase())
  // One that is deleted while it is open is not taken out of somebody's hands.
  const [last, setLast] = useState(listed)
  if (listed && listed !== last) setLast(listed)
  const view = listed ?? (last?.view_id === id.toUpperCase() ? last : undefined)
  const isThere =
    useQuery({ ...viewQuery(id.toUpperCase()), enabled: !!view, initialData: view }).data !== null
  if (!views || !tags) return null
  if (!view)
    return (
      <EmptyState whole icon="search" title="There is no such view">
        <p>It may have been deleted, or be somebody else’s.</p>
        <Link href="/views">All views</Link>
      </EmptyState>
    )
  return <ViewTable key={view.view_id} view={view} tags={tags} isGone={!listed || !isThere} />
}

interface ViewTableProps {
  view: View
  tags: readonly Tag[]
  /** It was deleted, or is shared no more, since it was opened. */
  isGone: boolean
}

function ViewTable({ view, tags, isGone }: ViewTableProps) {
  const [{ filter }] = useTableState()
  const shown = filter ?? view.filter
  const asked = useMemo(() => {
    const named = tagsAskedFor(shown)
    const ids = named.map((each) => each.toUpperCase())
    return tags.filter(({ tag_id, name }) => named.includes(name) || ids.includes(tag_id))
  }, [shown, tags])
  useEffect(() => {
    document.title = `${view.name} · Facet`
  }, [view.name])
  return (
    <FilteredTable
      title={view.name}
      base={null}
      view={view}
      isGone={isGone}
      allTags={tags}
      tags={asked}
      newTag={asked[0]}
      storageKey={view.view_id}
      actions={!isGone && <PinButton id={view.view_id} />}
    />
  )
}
