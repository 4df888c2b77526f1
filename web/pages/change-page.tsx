import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { changeQuery } from '#web/data/changes-query.ts'
import { ChangeView } from '#web/history/change-view.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'

/** One change. */
export function ChangePage() {
  const change_id = useParams<{ change: string }>().change.toUpperCase()
  const { data, error, isPending } = useQuery(changeQuery(change_id))
  useEffect(() => {
    if (data) document.title = `${data.summary} · Facet`
  }, [data])
  if (isPending) return null
  if (!data)
    return (
      <EmptyState whole icon="search" title="There is no such change">
        <p>{error?.message ?? 'Its address may be mistyped.'}</p>
        <Link href="/history">All changes</Link>
      </EmptyState>
    )
  return <ChangeView key={change_id} change={data} />
}
