import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import type { Column } from '#web/rules/column.ts'
import type { SortKey } from '#web/rules/table-state.ts'
import css from '#web/layout/layout-bar.module.css'

interface SortMenuProps {
  columns: readonly Column[]
  sort: readonly SortKey[]
  onSort: (sort: readonly SortKey[]) => void
}

/** The order of the cards, where there are no heads of columns to press; the same once more turns it round. */
export function SortMenu({ columns, sort, onSort }: SortMenuProps) {
  const [first] = sort
  const sortable = columns.filter(({ sortBy }) => sortBy !== undefined)
  const isDown = first?.direction === 'desc'
  const now = sortable.find(({ sortBy }) => sortBy === first?.by)
  return (
    <Menu
      buttonClassName={css.option}
      button={
        <>
          <span className={css.words}>Sorted by</span> {now?.label ?? 'relevance'}
          {now && <Icon name={isDown ? 'arrow_down' : 'arrow_up'} size={14} />}
        </>
      }
      entries={sortable.map(({ sortBy, label }) => ({
        label,
        ...(sortBy === first?.by && { icon: isDown ? ('arrow_down' as const) : ('arrow_up' as const) }),
        run: () => onSort([{ by: sortBy!, direction: sortBy === first?.by && !isDown ? 'desc' : 'asc' }]),
      }))}
    />
  )
}
