import { useSearchParams } from 'wouter'
import { useMayWrite } from '#web/data/may-write.ts'
import { useTags } from '#web/data/tags-query.ts'
import { ImportView } from '#web/import/import-view.tsx'
import { Page } from '#web/parts/page.tsx'

/** Items from a table: `/import?tag=`. */
export function ImportPage() {
  const tags = useTags()
  const mayWrite = useMayWrite()
  const [query, setQuery] = useSearchParams()
  if (!tags) return null
  const tag = tags.find(({ tag_id }) => tag_id === query.get('tag')?.toUpperCase()) ?? null
  return (
    <Page
      title="Import"
      lead="Rows of a spreadsheet or a CSV file become items. Nothing is written before you have seen what is wrong."
    >
      {mayWrite ? (
        <ImportView
          tags={tags}
          tag={tag}
          onTag={(next) => setQuery(next === null ? {} : { tag: next }, { replace: true })}
        />
      ) : (
        <p>You may read this base, not change it.</p>
      )}
    </Page>
  )
}
