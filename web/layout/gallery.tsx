import { type KeyboardEvent, memo, type RefObject, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { fileAddress } from '#web/api/upload-file.ts'
import type { Row } from '#web/data/row-source.ts'
import type { LayoutProps } from '#web/layout/layout-props.ts'
import { OptionMenu } from '#web/layout/option-menu.tsx'
import { SortMenu } from '#web/layout/sort-menu.tsx'
import { useRead } from '#web/layout/use-read.ts'
import { useTiles } from '#web/layout/use-tiles.ts'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { type Action, useActions } from '#web/parts/action.ts'
import { useCurrent } from '#web/parts/use-current.ts'
import { cellValue } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { elementsOf } from '#web/rules/file-value.ts'
import { chosenColumn, pictureFields } from '#web/rules/layout.ts'
import { movedTile } from '#web/rules/tiles.ts'
import { CardValues } from '#web/table/card-values.tsx'
import { isPicture } from '#web/table/file-view.tsx'
import { EVERYTHING, isChosen, isNothing, NOTHING, toggled } from '#web/table/selection.ts'
import bar from '#web/layout/layout-bar.module.css'
import css from '#web/layout/gallery.module.css'

const HEARD: readonly [keys: string, title: string][] = [
  ['enter', 'Open the item next to it'],
  ['mod+enter', 'Open the item'],
  ['shift+ ', 'Select the item'],
  ['mod+a', 'Select all that match'],
]

const GALLERY_KEYS: readonly Action[] = HEARD.map(([keys, title]) => ({
  id: `gallery ${keys}`,
  title,
  keys,
  group: 'Gallery',
  heard: true,
  run: () => undefined,
}))

/** Items by their pictures. */
export function Gallery(props: LayoutProps) {
  const { columns, layout, onLayout, tag, source } = props
  useRead(source)
  const fields = pictureFields(columns.all)
  const field = chosenColumn(fields, layout.by)
  if (!field)
    return (
      <EmptyState icon="gallery" title="A gallery has no pictures here">
        <p>It shows the first picture of a field of files.</p>
        {tag && <Link href={`/tags/${tag.tag_id}/schema`}>Give {tag.name} such a field</Link>}
      </EmptyState>
    )
  if (source.ended && !source.total) return props.empty
  return (
    <>
      <div className={bar.bar}>
        <OptionMenu
          words="Pictures of"
          options={fields}
          chosen={field.key}
          onChoose={(by) => onLayout({ ...layout, by: by! })}
        />
        <SortMenu columns={columns.all} sort={props.sort} onSort={props.onSort} />
      </div>
      <Tiles {...props} field={field} />
    </>
  )
}

function Tiles(props: LayoutProps & { field: Column }) {
  const { source, field, columns, label, selection, onSelection, beside, onPeek } = props
  useActions(GALLERY_KEYS)
  const version = useRead(source)
  const scroller = useRef<HTMLDivElement>(null)
  const { total } = source
  const { first, last, across, tileHeight, onScroll, reveal } = useTiles(scroller, total, source)
  const [active, setActive] = useState(0)
  const here = Math.min(active, Math.max(0, total - 1))
  const fields = useMemo(
    () => columns.shown.filter(({ kind, key }) => kind === 'field' && key !== field.key),
    [columns.shown, field.key],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event
    const isMod = event.ctrlKey || event.metaKey
    const row = source.row(here)
    const to = isMod || event.altKey ? undefined : movedTile(key, here, { across, total })
    if (to !== undefined) {
      setActive(to)
      reveal(to)
    } else if (key === 'Escape') {
      if (beside !== null) props.onTurn(null)
      else if (!isNothing(selection)) onSelection(NOTHING)
      return
    } else if (!row) return
    else if (key === ' ' && shiftKey) onSelection((old) => toggled(old, [row.item_id]))
    else if (key === 'Enter' && isMod) props.onOpen(row.item_id)
    else if (key === 'a' && isMod) onSelection(EVERYTHING)
    else return
    event.preventDefault()
  }
  const pick = useCurrent((item_id: string, more: boolean) =>
    more ? onSelection((old) => toggled(old, [item_id])) : onPeek(item_id),
  )
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
  // The one that has the focus stays drawn.
  if (total && !shown.includes(here)) shown.push(here)
  return (
    <div
      ref={scroller}
      className={css.gallery}
      data-layout="gallery"
      data-version={version}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      role="presentation"
    >
      <ul
        className={css.list}
        aria-label={label}
        style={{ height: Math.ceil(total / across) * tileHeight, ['--across' as string]: across }}
      >
        {shown.map((index) => {
          const row = source.row(index)
          return (
            <li
              key={row?.item_id ?? index}
              className={css.place}
              style={{
                ['--column' as string]: index % across,
                height: tileHeight,
                translate: `0 ${Math.floor(index / across) * tileHeight}px`,
              }}
              aria-setsize={total}
              aria-posinset={index + 1}
              data-index={index}
            >
              {row && (
                <Tile
                  row={row}
                  index={index}
                  field={field}
                  fields={fields}
                  chosen={isChosen(selection, row.item_id)}
                  isTab={index === here}
                  isOpen={row.item_id === beside}
                  onActive={setActive}
                  pick={pick}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface TileProps {
  row: Row
  index: number
  field: Column
  fields: readonly Column[]
  chosen: boolean
  isTab: boolean
  isOpen: boolean
  onActive: (index: number) => void
  /** `more`: it is selected with others. */
  pick: RefObject<(item_id: string, more: boolean) => void>
}

/** One item of a gallery; drawn again where something of it is another. */
const Tile = memo(function Tile(props: TileProps) {
  const { row, index, field, fields, chosen, isTab, isOpen, onActive, pick } = props
  const picture = elementsOf(cellValue(field, row)).find(({ type }) => isPicture(type))
  const valuesId = `values-${row.item_id}`
  return (
    <div
      className={css.tile}
      data-item={row.item_id}
      data-chosen={chosen || undefined}
      data-open={isOpen || undefined}
    >
      <div className={css.picture}>
        {picture ? (
          <img src={fileAddress(picture.file_id)} alt="" loading="lazy" decoding="async" draggable={false} />
        ) : (
          <Icon name="gallery" size={28} />
        )}
      </div>
      <div className={css.words}>
        <button
          type="button"
          className={css.name}
          data-name
          tabIndex={isTab ? 0 : -1}
          aria-describedby={valuesId}
          onFocus={() => onActive(index)}
          onClick={({ shiftKey, ctrlKey, metaKey }) =>
            pick.current(row.item_id, shiftKey || ctrlKey || metaKey)
          }
        >
          {row.name}
          {chosen && <span className={css.spoken}> (selected)</span>}
        </button>
        <CardValues id={valuesId} row={row} columns={fields} quiet />
      </div>
    </div>
  )
})
