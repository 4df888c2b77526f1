import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLocation, useParams } from 'wouter'
import { useMayWrite } from '#web/data/may-write.ts'
import { useTableState } from '#web/data/table-state.ts'
import { type Tag, useTags } from '#web/data/tags-query.ts'
import { type View, viewsQuery } from '#web/data/views-query.ts'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { tagsAskedFor } from '#web/rules/column.ts'
import { TableView } from '#web/table/table-view.tsx'

/** What a saved view shows. */
export function ViewPage() {
  const { id } = useParams<{ id: string }>()
  const views = useQuery(viewsQuery).data
  const tags = useTags()
  const view = views?.find(({ view_id }) => view_id === id.toUpperCase())
  if (!views || !tags) return null
  if (!view)
    return (
      <EmptyState whole title="There is no such view">
        <p>It may have been deleted, or be somebody else’s.</p>
      </EmptyState>
    )
  return <ViewTable key={view.view_id} view={view} tags={tags} />
}

function ViewTable({ view, tags }: { view: View; tags: readonly Tag[] }) {
  const [state, change] = useTableState()
  const mayWrite = useMayWrite()
  const [, go] = useLocation()
  const asked = useMemo(() => {
    const named = tagsAskedFor(view.filter)
    return tags.filter(({ tag_id, name }) => named.includes(tag_id) || named.includes(name))
  }, [view.filter, tags])
  useEffect(() => {
    document.title = `${view.name} · Facet`
  }, [view.name])
  return (
    <TableView
      title={view.name}
      base={view.filter}
      tags={asked}
      newTag={asked[0]}
      state={state}
      onState={change}
      storageKey={view.view_id}
      readOnly={!mayWrite}
      onOpen={(item_id) => go(`/items/${item_id}`)}
    />
  )
}
