import { type DragEvent, memo, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { ItemLink } from '#web/item/item-references.tsx'
import { handFiles } from '#web/data/handed-files.ts'
import type { SavedEdits } from '#web/item/use-saved-edits.ts'
import type { ValueParts } from '#web/item/value-parts.ts'
import { knownItemName } from '#web/data/item-names.ts'
import { cellText } from '#web/rules/cell-text.ts'
import type { FieldColumn } from '#web/rules/column.ts'
import css from '#web/item/item-value.module.css'

const ID = /^[0-9a-z]{26}$/i

interface ItemValueProps {
  item_id: string
  /** Of the item. */
  name: string
  column: FieldColumn
  /** As it is shown: what was typed comes before what is stored. */
  value: unknown
  isOpen: boolean
  /** Why what is stored no longer fits. */
  outdated: string | undefined
  saved: SavedEdits
  canEdit: boolean
  parts: ValueParts
}

/** A field of an item: its name, its value, and pressed its editor over it. Drawn again for its own edits alone. */
export const ItemValue = memo(function ItemValue(props: ItemValueProps) {
  const { item_id, name, column, value, isOpen, saved, canEdit, parts } = props
  const { View, Editor, Open } = parts
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [box, setBox] = useBox(button)
  const { edits, itemNow, save } = saved
  const place = { item_id, tag_id: column.tag.tag_id, field: column.field.name }
  // What others write meanwhile, or rename, is nothing that was typed here.
  const [opened, setOpened] = useState(() => ({ value, column, before: itemNow(place) }))
  const pending = useSyncExternalStore(edits.subscribe, () => edits.of(place))
  const outdated = pending ? undefined : props.outdated
  const fault = pending?.fault?.message ?? outdated

  const what = `${column.label} of ${name}`
  const textOf = (next: unknown) => cellText(column, next, (id) => knownItemName(id) ?? id)
  const write = (next: unknown) => void save(place, next, `Changed ${what}`)
  const writeEdited = (next: unknown) =>
    void save(place, next, `Changed ${what}`, {
      value: opened.value,
      before: opened.before,
      tag_updated_at: opened.column.tag.updated_at,
      what,
      textOf,
    })
  const close = (then: string) => {
    flushSync(() => setBox(null))
    const all = [...document.querySelectorAll<HTMLElement>('[data-item-value]')]
    const step = then === 'right' || then === 'down' ? 1 : then === 'left' || then === 'up' ? -1 : 0
    const next = button.current && all[all.indexOf(button.current) + step]
    if (then !== 'stay') (next ?? button.current)?.focus()
  }
  const edit = () => {
    if (column.field.type !== 'Boolean') {
      setOpened({ value, column, before: itemNow(place) })
      return setBox(button.current!.getBoundingClientRect())
    }
    write(value === true ? false : value === false ? null : true)
  }
  const content = isNothing(value) ? (
    <span className={css.empty}>{canEdit ? 'Empty' : '–'}</span>
  ) : (
    <View column={column} value={value} isOpen={isOpen} inButton />
  )
  const links = isNothing(value) ? undefined : linksOf(column, value)
  const look = [css.value, column.field.parents && css.sub, fault && css.failed, outdated && css.outdated]
  return (
    <>
      <dt
        id={`${id}-label`}
        className={`${css.label} ${column.field.parents ? css.sub : ''}`}
        title={column.description}
      >
        {column.field.name}
      </dt>
      <dd className={css.cell} {...(column.field.type === 'File' && canEdit && dropTarget(edit))}>
        {Open && <Open column={column} value={value} />}
        {canEdit && links ? (
          <button
            ref={button}
            type="button"
            data-item-value
            aria-labelledby={`${id}-label ${id}-value`}
            aria-describedby={fault ? `${id}-fault` : undefined}
            className={`${css.around} ${fault ? css.failed : ''}`}
            onClick={edit}
          />
        ) : null}
        {links ? (
          <div id={`${id}-value`} className={`${css.read} ${css.links}`}>
            {links.map((item_id) => (
              <ItemLink key={item_id} item_id={item_id} />
            ))}
          </div>
        ) : canEdit ? (
          <button
            ref={button}
            type="button"
            id={`${id}-value`}
            data-item-value
            aria-labelledby={`${id}-label ${id}-value`}
            aria-describedby={fault ? `${id}-fault` : undefined}
            className={look.filter((each) => each).join(' ')}
            onClick={edit}
          >
            {content}
          </button>
        ) : (
          <div className={css.read}>{content}</div>
        )}
        {fault && (
          <p
            id={`${id}-fault`}
            className={outdated ? css.note : css.fault}
            role={outdated ? undefined : 'alert'}
          >
            {fault}
          </p>
        )}
      </dd>
      {box && (
        <Editor
          column={opened.column}
          name={name}
          value={opened.value}
          typed={null}
          box={box}
          onSave={(next, then) => {
            close(then)
            writeEdited(next)
          }}
          onRefuse={(next, message) => {
            close('stay')
            edits.refuse(place, next, message)
          }}
          onLater={() => {
            close('stay')
            return writeEdited
          }}
          onCancel={(then = 'here') => {
            edits.drop(place)
            close(then)
          }}
        />
      )}
    </>
  )
})

/** What it refers to: each leads there; all around them is pressed to change them. */
const linksOf = ({ field: { type } }: FieldColumn, value: unknown): string[] | undefined => {
  const ids = Array.isArray(value) ? value : [value]
  return /Reference/.test(type) && ids.every((id) => typeof id === 'string' && ID.test(id)) ? ids : undefined
}

/** Files that are dropped on a value go to its editor. */
const dropTarget = (edit: () => void) => ({
  onDragOver: (event: DragEvent) => event.preventDefault(),
  onDrop: (event: DragEvent) => {
    if (!event.dataTransfer.files.length) return
    event.preventDefault()
    handFiles(event.dataTransfer.files)
    edit()
  },
})

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)

/** Where the editor lies: over its value, also when the page is scrolled meanwhile. */
function useBox(over: { readonly current: HTMLElement | null }) {
  const [box, setBox] = useState<DOMRect | null>(null)
  const isOpen = box !== null
  useLayoutEffect(() => {
    if (!isOpen) return
    const move = () => setBox(over.current?.getBoundingClientRect() ?? null)
    document.addEventListener('scroll', move, { capture: true, passive: true })
    addEventListener('resize', move)
    return () => {
      document.removeEventListener('scroll', move, { capture: true })
      removeEventListener('resize', move)
    }
  }, [isOpen, over])
  return [box, setBox] as const
}
