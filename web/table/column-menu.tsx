import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import type { MenuEntry } from '#web/parts/menu-props.ts'
import type { Column } from '#web/rules/column.ts'
import type { SortKey } from '#web/rules/table-state.ts'
import type { FieldTools } from '#web/table/field-tools.ts'
import { type ArrangedColumns, MOST_FROZEN } from '#web/table/use-column-settings.ts'
import css from '#web/table/grid.module.css'

const STEP = 40

interface ColumnMenuProps {
  column: Column
  at: number
  columns: ArrangedColumns
  sort: readonly SortKey[]
  onSort: (sort: readonly SortKey[]) => void
  fieldTools?: FieldTools | undefined
}

/** All that can be done with a column, which dragging does too. */
export function ColumnMenu({ column, at, columns, sort, onSort, fieldTools }: ColumnMenuProps) {
  const { key, label, width, sortBy } = column
  const others = sort.filter(({ by }) => by !== sortBy)
  const sorting: MenuEntry[] = sortBy
    ? [
        { label: 'Sort ascending', icon: 'arrow_up', run: () => onSort([{ by: sortBy, direction: 'asc' }]) },
        {
          label: 'Sort descending',
          icon: 'arrow_down',
          run: () => onSort([{ by: sortBy, direction: 'desc' }]),
        },
        ...(others.length
          ? [
              {
                label: 'Then by this',
                icon: 'sort' as const,
                run: () => onSort([...others, { by: sortBy, direction: 'asc' }]),
              },
            ]
          : []),
      ]
    : []
  const frozen = at < columns.frozen
  const field: MenuEntry[] =
    fieldTools && column.kind === 'field'
      ? [{ label: 'Name and type…', icon: 'edit', run: () => fieldTools.change(column) }]
      : []
  const behind: MenuEntry[] = columns.choices
    .filter(({ from }) => from === key)
    .map((choice, i) => ({
      label: `Show ${choice.label}`,
      icon: 'reference',
      parted: i === 0,
      run: () => columns.showPath(choice.key),
    }))
  const entries: MenuEntry[] = [
    ...field,
    ...sorting.map((entry, i) => ({ ...entry, parted: i === 0 && field.length > 0 })),
    {
      label: 'Wider',
      icon: 'plus',
      parted: sorting.length + field.length > 0,
      run: () => columns.resize(key, width + STEP),
    },
    { label: 'Narrower', icon: 'columns', run: () => columns.resize(key, width - STEP) },
    ...(at < MOST_FROZEN && at > 0
      ? [
          {
            label: frozen ? 'Let it scroll' : 'Keep in sight',
            run: () => columns.freeze(frozen ? at : at + 1),
          },
        ]
      : []),
    ...(at > 0
      ? [
          {
            label: 'Move left',
            icon: 'arrow_left' as const,
            keys: 'mod+shift+arrowleft',
            disabled: at < 2,
            parted: true,
            run: () => columns.move(key, -1),
          },
          {
            label: 'Move right',
            icon: 'arrow_right' as const,
            keys: 'mod+shift+arrowright',
            disabled: at > columns.shown.length - 2,
            run: () => columns.move(key, 1),
          },
          { label: 'Hide', icon: 'close' as const, run: () => columns.hide(key, true) },
        ]
      : []),
    ...behind,
  ]
  return (
    <Menu
      label={`Column ${label}`}
      buttonClassName={css.menu}
      button={<Icon name="chevron_down" size={12} />}
      entries={entries}
    />
  )
}
