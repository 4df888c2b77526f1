import type { EditorView } from 'prosemirror-view'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { call } from '#web/api/call.ts'
import { createItem } from '#web/api/operations.ts'
import { findItemsLike, isNamed, type ItemOption, useItemsLike } from '#web/data/item-options.ts'
import { keepItemName } from '#web/data/item-names.ts'
import { type BlockChoice, blockChoices, ITEM_LINK, PICTURE } from '#web/item/block-choices.ts'
import { descriptionSchema } from '#web/item/description-schema.ts'
import { closeSuggestion, type Suggestion } from '#web/item/suggestion.ts'
import { pickFile, type TakeFiles } from '#web/item/taken-files.ts'
import { Icon } from '#web/parts/icon.tsx'
import { layBeside } from '#web/parts/lay-beside.ts'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
import list from '#web/parts/listbox.module.css'
import css from '#web/item/suggest-list.module.css'

/** Hears the keys of the editor first, while something is offered. */
export type HeardFirst = { current: ((event: KeyboardEvent) => boolean) | null }

interface SuggestListProps {
  view: EditorView
  suggestion: Suggestion
  heard: HeardFirst
  onFiles: TakeFiles
}

export function SuggestList(props: SuggestListProps) {
  return props.suggestion.kind === 'block' ? <Blocks {...props} /> : <Items {...props} />
}

const choose = ({ view, suggestion: { from, to } }: SuggestListProps, put: string) =>
  view.dispatch(put ? view.state.tr.insertText(put, from, to) : view.state.tr.delete(from, to))

function Blocks(props: SuggestListProps) {
  const { view, suggestion } = props
  const take = ({ label, run }: BlockChoice) => {
    choose(props, label === ITEM_LINK ? '[[' : '')
    if (label === PICTURE) pickFile(view, props.onFiles)
    else run(view.state, view.dispatch.bind(view), view)
  }
  const choices = blockChoices(view, suggestion.query).map((choice) => ({
    key: choice.label,
    look: (
      <>
        <Icon name={choice.icon} size={16} />
        <span className={list.name}>{choice.label}</span>
        {choice.typed && <kbd className={css.typed}>{choice.typed}</kbd>}
      </>
    ),
    take: () => take(choice),
  }))
  return <Choices {...props} label="Blocks" choices={choices} />
}

/** As many as are seen at once. */
const MOST = 8

function Items(props: SuggestListProps) {
  const { view, suggestion } = props
  const text = suggestion.query.trim()
  const { items, isOld } = useItemsLike(text, [])
  /** What is typed meanwhile comes after the link. */
  const takeLater = async (find: () => Promise<Linked | null>) => {
    const typed = typedOf(view, suggestion)
    closeSuggestion(view)
    try {
      const linked = await find()
      if (linked && !view.isDestroyed && typedOf(view, suggestion) === typed)
        putLink(view, suggestion, linked)
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'danger' })
    }
  }
  const make = async () => {
    const { data } = await call(createItem, { name: text })
    keepItemName(data.item_id, text)
    return { item_id: data.item_id, name: text }
  }
  const findOrMake = async (at: number) => {
    const found = await findItemsLike(text, [])
    return (
      found.slice(0, MOST)[at] ??
      found.find(({ name }) => isNamed(name, text)) ??
      (text ? await make() : null)
    )
  }
  const found = items.slice(0, MOST).map(({ item_id, name, what }) => ({
    key: item_id,
    look: (
      <>
        <span className={list.name}>{name}</span>
        <span className={css.what}>{what}</span>
      </>
    ),
    take: () => putLink(view, suggestion, { item_id, name }),
  }))
  const isNew = text && !isOld && !items.some(({ name }) => isNamed(name, text))
  const choices = isNew
    ? [...found, { key: 'new', look: <MakeIt name={text} />, take: () => void takeLater(make) }]
    : found
  return (
    <Choices
      {...props}
      label="Items"
      choices={choices}
      early={isOld ? (at) => void takeLater(() => findOrMake(at)) : null}
    />
  )
}

type Linked = Pick<ItemOption, 'item_id' | 'name'>

const typedOf = ({ state: { doc } }: EditorView, { from, to }: Suggestion): string | null =>
  to <= doc.content.size ? doc.textBetween(from, to) : null

function putLink(view: EditorView, { from, to }: Suggestion, { item_id, name }: Linked): void {
  const link = descriptionSchema.text(name, [
    descriptionSchema.marks.link.create({ href: `/items/${item_id}` }),
  ])
  view.dispatch(view.state.tr.replaceWith(from, to, link).insertText(' ', from + name.length))
}

function MakeIt({ name }: { name: string }) {
  return (
    <>
      <Icon name="plus" size={16} />
      <span className={list.name}>Make “{name}”</span>
    </>
  )
}

interface Choice {
  key: string
  look: ReactNode
  take: () => void
}

interface ChoicesProps extends SuggestListProps {
  label: string
  choices: readonly Choice[]
  /** What is shown answers what was typed before: Enter takes what the text that stands there then will find. */
  early?: ((at: number) => void) | null
}

/** Under the caret; the editor keeps the focus and hears the keys. */
function Choices({ view, suggestion, heard, label, choices, early = null }: ChoicesProps) {
  const id = useId()
  const [here, setHere] = useState({ at: 0, query: suggestion.query })
  const at = Math.max(0, Math.min(here.query === suggestion.query ? here.at : 0, choices.length - 1))
  const isOpen = choices.length > 0
  const hear = ({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey || isComposing || (!isOpen && !early)) return false
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step)
      setHere({ at: (at + step + choices.length) % Math.max(1, choices.length), query: suggestion.query })
    else if (key === 'Escape') closeSuggestion(view)
    else if (key !== 'Enter' && key !== 'Tab') return false
    else if (early) early(at)
    else choices[at]!.take()
    return true
  }
  useLayoutEffect(() => {
    heard.current = hear
    return () => {
      heard.current = null
    }
  })
  useLayoutEffect(() => {
    const { dom } = view
    if (!isOpen) return
    dom.setAttribute('aria-controls', id)
    dom.setAttribute('aria-activedescendant', `${id}-${at}`)
    return () => {
      dom.removeAttribute('aria-controls')
      dom.removeAttribute('aria-activedescendant')
    }
  }, [view, id, isOpen, at])
  useLayoutEffect(() => {
    if (isOpen) say(`${label}: ↑ and ↓ choose, Enter takes`)
  }, [label, isOpen])
  if (!isOpen) return null
  // A list of another length lies elsewhere, where it is above the line.
  return <Laid key={choices.length} {...{ view, suggestion, id, label, choices, at }} />
}

interface LaidProps {
  view: EditorView
  suggestion: Suggestion
  id: string
  label: string
  choices: readonly Choice[]
  at: number
}

function Laid({ view, suggestion: { from }, id, label, choices, at }: LaidProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const anchor = {
      getBoundingClientRect: () => {
        const { left, top, bottom } = view.coordsAtPos(Math.min(from, view.state.doc.content.size))
        return new DOMRect(left, top, 0, bottom - top)
      },
    }
    return layBeside(box.current!, anchor)
  }, [view, from])
  useLayoutEffect(() => {
    box.current!.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <div
      ref={box}
      id={id}
      role="listbox"
      aria-label={label}
      // Where it scrolls it is to be reached; Tab takes what is chosen before it gets here.
      tabIndex={0}
      popover="manual"
      className={`${list.list} ${css.list}`}
      // The editor keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {choices.map((choice, i) => (
        <div
          key={choice.key}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === at}
          className={list.option}
          data-here={i === at || undefined}
          onMouseDown={() => choice.take()}
        >
          {choice.look}
        </div>
      ))}
    </div>
  )
}
