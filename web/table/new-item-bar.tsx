import { type FormEvent, type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react'
import type { Row } from '#web/data/row-source.ts'
import type { View } from '#web/data/views-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { Button, IconButton } from '#web/parts/button.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { Chip } from '#web/parts/chip.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { takeLines } from '#web/parts/typed-ahead.ts'
import { type ColumnTag, columnsOf } from '#web/rules/column.ts'
import { readTemplate } from '#web/rules/item-template.ts'
import type { Question } from '#web/rules/table-state.ts'
import { CellView } from '#web/table/cell-view.tsx'
import { type Default, keyOfDefault, useDefaults, useLoadDefaults } from '#web/table/make-item.ts'
import { useNewItems } from '#web/table/use-new-items.ts'
import css from '#web/table/new-item-bar.module.css'

interface NewItemBarProps {
  /** Its box for a name. */
  input: RefObject<HTMLInputElement | null>
  question: Question
  tag: ColumnTag | undefined
  /** What the items begin with. */
  template: View | undefined
  onTemplate: (template: View | undefined) => void
  onMade: (row: Row) => void
  onClose: () => void
}

/** Makes items one after the other: a name, Enter. What the filter asks for is filled in and can be taken away. */
export function NewItemBar(props: NewItemBarProps) {
  const { input, question, tag, template, onTemplate, onMade, onClose } = props
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set())
  const beginning = { question, tag, template }
  const loadDefaults = useLoadDefaults()
  const description = template && readTemplate(template.settings)?.description
  const withoutDropped = (all: readonly Default[]) => all.filter((each) => !dropped.has(keyOfDefault(each)))
  const kept = withoutDropped(useDefaults(beginning))
  const load = async () => withoutDropped(await loadDefaults(beginning))
  const { name, setName, make, enter, close, fault } = useNewItems({
    load,
    description,
    onMade,
    onClose,
  })
  const takeOver = useEffectEvent(() => {
    const { typed, lines } = takeLines()
    if (typed) setName(typed)
    for (const line of lines) if (line.trim()) make(line.trim())
  })
  useLayoutEffect(() => takeOver(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) enter()
  }
  return (
    <form
      className={css.bar}
      aria-label="New item"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <Icon name="plus" />
      <input
        className={css.name}
        aria-label="Name of the new item"
        placeholder="Name of the new item"
        value={name}
        autoFocus
        ref={input}
        onChange={(event) => setName(event.target.value)}
      />
      <span className={css.given} data-many={kept.length > 3 || undefined}>
        {template && (
          <Chip
            given
            remove={`Without the template ${template.name}`}
            onRemove={() => {
              onTemplate(undefined)
              input.current?.focus()
            }}
          >
            <Icon name="copy" size={12} /> {template.name}
          </Chip>
        )}
        {kept.map((each) => (
          <GivenValue
            key={keyOfDefault(each)}
            {...each}
            onDrop={() => {
              setDropped(new Set([...dropped, keyOfDefault(each)]))
              input.current?.focus()
            }}
          />
        ))}
      </span>
      <Button type="submit" kind="primary" disabled={!name.trim()}>
        Make <kbd>Enter</kbd>
      </Button>
      <IconButton icon="close" label="Close" onClick={close} />
      {fault && <FaultLine className={css.fault}>{fault}</FaultLine>}
    </form>
  )
}

/** A tag or a value that the new item gets. */
function GivenValue({ tag_id, field, value, onDrop }: Default & { onDrop: () => void }) {
  const tag = useTags()?.find((each) => each.tag_id === tag_id)
  if (!tag) return null
  const column = field === null ? undefined : columnsOf([tag]).find(({ key }) => key === `${tag_id}.${field}`)
  const label = field === null ? tag.name : field
  return (
    <Chip given remove={`Without ${label}`} onRemove={onDrop}>
      {field === null && <TagSign tag={tag_id} size="bare" />} {label}
      {column && (
        <>
          {': '}
          <CellView column={column} value={value} />
        </>
      )}
    </Chip>
  )
}
