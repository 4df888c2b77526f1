import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import { deleteImport } from '#web/api/operations.ts'
import { type Import, importsQuery, isUnderWay } from '#web/data/imports-query.ts'
import { IconButton } from '#web/parts/button.tsx'
import { Name } from '#web/parts/name.tsx'
import { OlderButton } from '#web/parts/older-button.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { toast } from '#web/parts/toast.tsx'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import css from '#web/parts/settings.module.css'

/** One's own imports, newest first. */
export function ImportList() {
  const client = useQueryClient()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(importsQuery)
  const imports = data?.pages.flatMap((page) => page.data) ?? []
  if (!imports.length) return null
  const forget = async (import_id: string) => {
    const fault = await call(deleteImport, { import_id }).catch(toFault)
    if (fault instanceof Error) toast({ text: fault.message, kind: 'danger' })
    await client.invalidateQueries({ queryKey: importsQuery.queryKey })
  }
  return (
    <PageSection
      title="Your imports"
      lead="Kept for seven days, with their files: go on with one, or take it back."
    >
      <ul className={css.list} aria-label="Imports">
        {imports.map((each) => (
          <li key={each.import_id} className={css.row}>
            <div className={css.what}>
              <Link href={`/import/${each.import_id}`}>
                <Name of={each.name} />
              </Link>
              <p className={css.about}>{wordsOf(each)}</p>
            </div>
            <div className={css.controls}>
              <time className={css.about} dateTime={each.created_at} title={sayMoment(each.created_at)}>
                {sayShort(each.created_at)}
              </time>
              {!isUnderWay(each) && (
                <IconButton
                  icon="trash"
                  label={`Forget the import of ${each.name}`}
                  onClick={() => void forget(each.import_id)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      <OlderButton {...{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </PageSection>
  )
}

function wordsOf({ state, done, total, created = 0, changed = 0, undone, change_ids }: Import): string {
  const rows = `${total.toLocaleString()} ${total === 1 ? 'row' : 'rows'}`
  if (undone) return `${rows}, taken back`
  if (state === 'running') return `${done.toLocaleString()} of ${rows}`
  if (state === 'done' || change_ids.length)
    return `${created.toLocaleString()} made, ${changed.toLocaleString()} changed${state === 'done' ? '' : `, ${state}`}`
  return state === 'ready' ? `${rows}, not imported yet` : `${rows}, ${state}`
}
