import { useTags } from '#web/data/tags-query.ts'
import { FilteredTable } from '#web/pages/filtered-table.tsx'

const NO_TAGS: readonly never[] = []

/** All items, whatever their tags. */
export function ItemsPage() {
  const tags = useTags() ?? NO_TAGS
  return <FilteredTable title="Items" base={null} allTags={tags} tags={NO_TAGS} storageKey="items" />
}
