import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { useMayWrite } from '#web/data/may-write.ts'
import { useTableState } from '#web/data/table-state.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { TableView, type TableViewProps } from '#web/table/table-view.tsx'
import css from '#web/pages/filtered-table.module.css'

const FilterBar = lazy(() =>
  import('#web/filter/filter-bar.tsx').then(({ FilterBar }) => ({ default: FilterBar })),
)
const NothingMatches = lazy(() =>
  import('#web/filter/nothing-matches.tsx').then(({ NothingMatches }) => ({ default: NothingMatches })),
)

export interface FilteredTableProps extends Pick<
  TableViewProps,
  'title' | 'base' | 'storageKey' | 'ownSort' | 'actions'
> {
  /** All tags of the base. */
  allTags: readonly Tag[]
  /** Whose fields are columns. */
  tags: readonly Tag[]
  /** The tag that a new item gets. */
  newTag?: Tag | undefined
}

/** A table with all that can be done with it. */
export function FilteredTable({ allTags, tags, base, ...rest }: FilteredTableProps) {
  const [state, change] = useTableState()
  const mayWrite = useMayWrite()
  const [, go] = useLocation()
  const { filter, text } = state
  return (
    <TableView
      {...rest}
      base={base}
      tags={tags}
      state={state}
      onState={change}
      readOnly={!mayWrite}
      onOpen={(item_id) => go(`/items/${item_id}`)}
      renderFilter={(source) => (
        <Suspense fallback={<div className={css.waiting} />}>
          <FilterBar
            filter={filter}
            onFilter={(next) => change({ filter: next })}
            base={base}
            tags={allTags}
            first={tags}
            warnings={source?.warnings ?? []}
          />
        </Suspense>
      )}
      nothing={
        <Suspense>
          <NothingMatches
            base={base}
            filter={filter}
            text={text}
            onFilter={(next) => change({ filter: next })}
            onText={(next) => change({ text: next })}
          />
        </Suspense>
      }
    />
  )
}
