import { memo, type PointerEvent, type RefCallback, useRef } from 'react'
import { IconButton } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import type { MenuEntry } from '#web/parts/menu-props.ts'
import type { Column } from '#web/rules/column.ts'
import type { SortKey } from '#web/rules/table-state.ts'
import { ColumnMenu } from '#web/table/column-menu.tsx'
import type { FieldTools } from '#web/table/field-tools.ts'
import { useColumnDrag } from '#web/table/use-column-drag.ts'
import type { ArrangedColumns } from '#web/table/use-column-settings.ts'
import css from '#web/table/grid.module.css'

interface GridHeaderProps {
  columns: ArrangedColumns
  /** Places of the columns that are drawn. */
  drawn: readonly number[]
  lefts: readonly number[]
  template: string
  sort: readonly SortKey[]
  onSort: (sort: readonly SortKey[]) => void
  all: boolean | 'some'
  onAll: () => void
  fieldTools?: FieldTools | undefined
}

/** Headings that sort, widen and open their menu. */
export const GridHeader = memo(function GridHeader(props: GridHeaderProps) {
  const { columns, drawn, lefts, template, sort, onSort, all, onAll, fieldTools } = props
  const onDrag = useColumnDrag(columns)
  const headings = useRef(new Map<string, HTMLElement>())
  const keepHeading = (key: string) => (heading: HTMLElement) => {
    headings.current.set(key, heading)
    return () => void headings.current.delete(key)
  }
  return (
    <div role="row" aria-rowindex={1} className={css.row} style={{ gridTemplateColumns: template }}>
      <div role="columnheader" aria-colindex={1} className={css.checkHead}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={all === true}
          ref={(input) => {
            if (input) input.indeterminate = all === 'some'
          }}
          onChange={onAll}
          aria-label="Select all that match"
        />
      </div>
      {drawn.map((i) => (
        <Heading
          key={columns.shown[i]!.key}
          ref={keepHeading(columns.shown[i]!.key)}
          column={columns.shown[i]!}
          at={i}
          left={lefts[i]}
          columns={columns}
          sort={sort}
          onSort={onSort}
          onPointerDown={i > 0 ? onDrag(columns.shown[i]!.key) : undefined}
          fieldTools={fieldTools}
        />
      ))}
      {(fieldTools || columns.choices.length > 0) && (
        <div
          role="columnheader"
          aria-colindex={columns.shown.length + 2}
          className={css.addHead}
          style={{ gridColumn: columns.shown.length + 2 }}
        >
          <AddColumn
            columns={columns}
            fieldTools={fieldTools}
            // It may lie beyond the edge.
            onShown={(key) =>
              headings.current.get(key)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
            }
          />
        </div>
      )}
    </div>
  )
})

/** A field of its own, or one of what a reference leads to. */
function AddColumn({
  columns: { choices, showPath },
  fieldTools,
  onShown,
}: Pick<GridHeaderProps, 'columns' | 'fieldTools'> & { onShown: (key: string) => void }) {
  if (!choices.length)
    return <IconButton icon="plus" label="Add a field" tabIndex={-1} onClick={fieldTools?.add} />
  const own: MenuEntry[] = fieldTools ? [{ label: 'New field…', icon: 'plus', run: fieldTools.add }] : []
  return (
    <Menu
      label="Add a column"
      placement="bottom-end"
      button={<Icon name="plus" />}
      entries={[
        ...own,
        ...choices.map(({ key, label }, i) => ({
          label,
          icon: 'reference' as const,
          parted: i === 0 && own.length > 0,
          run: () => {
            showPath(key)
            setTimeout(() => onShown(key))
          },
        })),
      ]}
    />
  )
}

interface HeadingProps extends Pick<GridHeaderProps, 'columns' | 'sort' | 'onSort' | 'fieldTools'> {
  ref: RefCallback<HTMLElement>
  column: Column
  at: number
  left: number | undefined
  /** Moves it; the name stays first. */
  onPointerDown: ((event: PointerEvent<HTMLElement>) => void) | undefined
}

function Heading(props: HeadingProps) {
  const { column, at, left, columns, sort, onSort, onPointerDown, fieldTools } = props
  const { sortBy, label } = column
  const place = sort.findIndex(({ by }) => by === sortBy)
  const direction = sort[place]?.direction
  const next = (): SortKey[] => {
    if (!direction) return [{ by: sortBy!, direction: 'asc' }]
    return direction === 'asc' ? [{ by: sortBy!, direction: 'desc' }] : []
  }
  const end = column.kind === 'path' ? column.last : column
  const description = end.kind === 'field' ? end.description : undefined
  const isNumber = end.kind === 'field' && end.field.type === 'Number'
  return (
    <div
      ref={props.ref}
      role="columnheader"
      aria-colindex={at + 2}
      aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : sortBy ? 'none' : undefined}
      className={`${css.header} ${left === undefined ? '' : css.frozen}`}
      data-number={isNumber || undefined}
      data-column={column.key}
      onPointerDown={onPointerDown}
      style={{ gridColumn: at + 2, ...(left !== undefined && { left }) }}
      title={description}
    >
      {sortBy ? (
        <button type="button" tabIndex={-1} className={css.sort} onClick={() => onSort(next())}>
          <span>{label}</span>
          {direction && <Icon name={direction === 'asc' ? 'arrow_up' : 'arrow_down'} size={12} />}
        </button>
      ) : (
        <span className={css.sort}>
          <span>{label}</span>
        </span>
      )}
      <ColumnMenu {...{ column, at, columns, sort, onSort, fieldTools }} />
      <Grip width={column.width} onWidth={(width) => columns.resize(column.key, width)} />
    </div>
  )
}

/** The edge that is dragged; the menu widens by keys. */
function Grip({ width, onWidth }: { width: number; onWidth: (width: number) => void }) {
  const start = useRef<{ x: number; width: number }>(null)
  const onMove = (event: PointerEvent) => {
    if (start.current) onWidth(start.current.width + event.clientX - start.current.x)
  }
  return (
    <span
      className={css.grip}
      data-grip
      aria-hidden
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
      }}
      onPointerMove={onMove}
      onPointerUp={() => {
        start.current = null
      }}
    />
  )
}
