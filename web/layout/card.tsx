import { memo } from 'react'
import type { Row } from '#web/data/row-source.ts'
import { useBoardAround } from '#web/layout/board-context.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import type { Column } from '#web/rules/column.ts'
import { CardValues } from '#web/table/card-values.tsx'
import css from '#web/layout/card.module.css'

interface CardProps {
  row: Row
  index: number
  total: number
  top: number
  fields: readonly Column[]
  column: string
  chosen: boolean
  /** Tab leads here. */
  isTab: boolean
  /** It is open next to the layout. */
  isOpen: boolean
}

/** Columns that a menu offers. */
const MOST_TARGETS = 30

/** One item on a board. */
export const Card = memo(function Card(props: CardProps) {
  const { row, index, total, top, fields, column, chosen, isTab, isOpen } = props
  const { hands, readOnly } = useBoardAround()
  const { item_id, name } = row
  const valuesId = `values-${item_id}`
  return (
    <li
      className={css.place}
      style={{ translate: `0 ${top}px` }}
      data-item={item_id}
      data-index={index}
      aria-setsize={total}
      aria-posinset={index + 1}
    >
      <div className={css.card} data-chosen={chosen || undefined} data-open={isOpen || undefined}>
        <button
          type="button"
          className={css.name}
          data-name
          tabIndex={isTab ? 0 : -1}
          aria-describedby={valuesId}
          aria-keyshortcuts={readOnly ? undefined : 'Alt+ArrowLeft Alt+ArrowRight'}
          onClick={(event) => {
            if (event.shiftKey || event.ctrlKey || event.metaKey) hands.current.toggle(item_id)
            else hands.current.peek(item_id)
          }}
        >
          {name}
          {chosen && <span className={css.spoken}> (selected)</span>}
        </button>
        <CardValues id={valuesId} row={row} columns={fields} quiet />
        <CardMenu row={row} column={column} chosen={chosen} />
      </div>
    </li>
  )
})

/** What keys and dragging do, for one who has neither. */
function CardMenu({ row, column, chosen }: { row: Row; column: string; chosen: boolean }) {
  const { hands, targets, readOnly } = useBoardAround()
  const { item_id, name } = row
  return (
    <span className={css.menu}>
      <Menu
        label={`What to do with ${name}`}
        buttonClassName={css.more}
        placement="bottom-end"
        button={<Icon name="more" size={16} />}
        entries={[
          { label: 'Open', icon: 'external', keys: 'mod+enter', run: () => hands.current.open(item_id) },
          {
            label: chosen ? 'Do not select' : 'Select',
            icon: 'check',
            keys: 'shift+ ',
            run: () => hands.current.toggle(item_id),
          },
          ...(readOnly ? [] : targets.filter(({ id }) => id !== column).slice(0, MOST_TARGETS)).map(
            (target, i) => ({
              label: `Move to ${target.name}`,
              icon: 'arrow_right' as const,
              parted: i === 0,
              run: () => hands.current.move(item_id, target.id),
            }),
          ),
        ]}
      />
    </span>
  )
}
