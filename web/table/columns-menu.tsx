import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import type { MenuEntry } from '#web/parts/menu-props.ts'
import { type Preferences, setPreference, usePreference } from '#web/data/preferences.ts'
import type { RowSource } from '#web/data/row-source.ts'
import type { ColumnTag } from '#web/rules/column.ts'
import type { ArrangedColumns } from '#web/table/use-column-settings.ts'
import button from '#web/parts/button.module.css'

interface ColumnsMenuProps {
  columns: ArrangedColumns
  /** Whose fields can be shown besides, where items have them. */
  otherTags: readonly ColumnTag[]
  source: RowSource | null
}

/** Rows that show which other tags there are. */
const LOOKED_AT = 200

const HEIGHTS: readonly (readonly [Preferences['density'], string])[] = [
  ['compact', 'Low rows'],
  ['normal', 'Rows of usual height'],
  ['roomy', 'High rows'],
]

/** Which columns are shown, and how high the rows are. */
export function ColumnsMenu({ columns, otherTags, source }: ColumnsMenuProps) {
  const carried = new Set(source?.rows.slice(0, LOOKED_AT).flatMap(({ tags }) => Object.keys(tags)))
  const besides = otherTags.filter(
    ({ tag_id, fields }) => Object.keys(fields).length > 0 && (carried.has(tag_id) || columns.hasTag(tag_id)),
  )
  const shown = new Set(columns.shown.map(({ key }) => key))
  const density = usePreference('density')
  const hidden = columns.all.length - columns.shown.length
  return (
    <Menu
      placement="bottom-end"
      label={`Columns${hidden ? ` (${hidden} hidden)` : ''}`}
      buttonClassName={button.icon}
      button={<Icon name="columns" />}
      entries={[
        ...columns.all.slice(1).map(({ key, label }): MenuEntry => ({
          label,
          checked: shown.has(key),
          run: () => columns.hide(key, shown.has(key)),
        })),
        ...besides.map(({ tag_id, name }, i): MenuEntry => ({
          label: `Fields of ${name}`,
          checked: columns.hasTag(tag_id),
          parted: i === 0,
          run: () => columns.showTag(tag_id, !columns.hasTag(tag_id)),
        })),
        ...HEIGHTS.map(([height, label], i): MenuEntry => ({
          label,
          checked: density === height,
          parted: i === 0,
          run: () => setPreference('density', height),
        })),
        { label: 'As they were at first', icon: 'undo', parted: true, run: columns.reset },
      ]}
    />
  )
}
