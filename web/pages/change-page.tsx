import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { changeQuery } from '#web/data/changes-query.ts'
import { ChangeView } from '#web/history/change-view.tsx'
import { NotShown } from '#web/parts/not-shown.tsx'

/** One change. */
export function ChangePage() {
  const change_id = useParams<{ change: string }>().change.toUpperCase()
  const { data, error, isPending, refetch } = useQuery(changeQuery(change_id))
  useEffect(() => {
    if (data) document.title = `${data.summary} · Facet`
  }, [data])
  if (isPending) return null
  if (!data)
    return (
      <NotShown what="change" error={error} onAgain={() => void refetch()}>
        <Link href="/history">All changes</Link>
      </NotShown>
    )
  return <ChangeView key={change_id} change={data} />
}
