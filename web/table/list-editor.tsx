import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Icon } from '#web/parts/icon.tsx'
import { Pill } from '#web/parts/pill.tsx'
import { VariantSign } from '#web/parts/variant-sign.tsx'
import { chosenOf } from '#web/rules/cell-value.ts'
import type { FieldColumn } from '#web/rules/column.ts'
import { variantLooks } from '#web/rules/variant-look.ts'
import { EditorBox } from '#web/table/editor-box.tsx'
import type { EditorProps, Then } from '#web/table/editor.ts'
import type { Option } from '#web/table/option.ts'
import { toast } from '#web/parts/toast.tsx'
import { keepTyped, takeTyped, UNTIL_ANSWERED } from '#web/parts/typed-ahead.ts'
import { holdPage } from '#web/parts/use-leave-guard.ts'
import { useLeftEditor } from '#web/parts/use-left-editor.ts'
import { firstItem, useItemOptions } from '#web/table/use-item-options.ts'
import css from '#web/table/cell-editor.module.css'

/** The least width in which names can be read. */
const WIDTH = 240

/** Select, MultiSelect, Reference and MultiReference: found by typing, taken by Enter; several by Space or Enter. */
export function ListEditor(props: EditorProps) {
  const column = props.column as FieldColumn
  const isItems = /Reference/.test(column.field.type)
  return isItems ? <ItemList {...props} column={column} /> : <VariantList {...props} column={column} />
}

type ListProps = EditorProps & { column: FieldColumn }

function VariantList(props: ListProps) {
  const { column } = props
  const looks = variantLooks(column.field.schema)
  const isMany = column.field.type === 'MultiSelect'
  const [text, setText] = useState(props.typed ?? '')
  const options = looks
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .map((look) => ({
      value: look.name,
      text: look.name,
      look: isMany ? <Pill look={look} position={looks.indexOf(look)} /> : <VariantSign look={look} />,
    }))
  const chosen = isMany ? listOf(props.value) : [chosenOf(column, props.value).name].filter(Boolean)
  const wrap = (values: readonly string[]) =>
    isMany ? (values.length ? values : null) : values[0] === undefined ? null : { variant: values[0] }
  return (
    <Choices
      {...props}
      text={text}
      onText={setText}
      options={options}
      chosen={chosen}
      isMany={isMany}
      wrap={wrap}
      numbers={!isMany}
    />
  )
}

function ItemList(props: ListProps) {
  const { column } = props
  const isMany = column.field.type === 'MultiReference'
  const [text, setText] = useState(props.typed ?? '')
  const { options, isOld } = useItemOptions(text.trim(), column.of)
  const chosen = isMany ? listOf(props.value) : typeof props.value === 'string' ? [props.value] : []
  const wrap = (values: readonly string[]) => (isMany ? (values.length ? values : null) : (values[0] ?? null))
  return (
    <Choices
      {...props}
      text={text}
      onText={setText}
      options={options}
      chosen={chosen}
      isMany={isMany}
      wrap={wrap}
      isOld={isOld}
      find={(sought) => firstItem(sought, column.of)}
    />
  )
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

interface ChoicesProps extends ListProps {
  text: string
  onText: (text: string) => void
  options: readonly Option[]
  chosen: readonly string[]
  isMany: boolean
  wrap: (values: readonly string[]) => unknown
  /** What is listed answers an earlier text. */
  isOld?: boolean
  /** What Enter takes for a text, read anew. */
  find?: (sought: string) => Promise<string>
  /** Digits choose, as long as nothing is typed. */
  numbers?: boolean
}

function Choices(props: ChoicesProps) {
  const { column, name, box, text, onText, options, isMany, wrap, onSave, onLater, onCancel } = props
  const { numbers = false, isOld = false } = props
  const id = useId()
  const [values, setValues] = useState(props.chosen)
  // The one that was gone to, by its value: what is listed may become another while one looks at it.
  const [here, setHere] = useState<string>()
  const [wanted, setWanted] = useState<Then | null>(props.asked ?? null)
  const [fault, setFault] = useState<string>()
  const done = useRef(false)
  const waits = useRef(props.asked !== undefined)
  // What is being made to be chosen.
  const [making, setMaking] = useState<Promise<string> | null>(null)
  const isSought = text.trim() !== ''
  const at = highlighted(options, { here, isSought, chosen: props.chosen })
  const goTo = (to: number) => setHere(options[to]?.value)

  /** Until it is found or made, what is typed is not for this text any more. */
  const keep = () => {
    waits.current = true
    keepTyped(UNTIL_ANSWERED)
  }
  const taken = () => {
    waits.current = false
    return takeTyped()
  }
  const isSame = (next: readonly string[]) =>
    next.length === props.chosen.length && next.every((each, i) => each === props.chosen[i])
  const finish = (next: readonly string[], then: Then) => {
    if (done.current) return
    done.current = true
    end()
    const ahead = taken()
    if (isSame(next)) onCancel(then, ahead)
    else onSave(wrap(next), then, ahead)
  }
  const take = async (option: Option | undefined, then: Then) => {
    if (!option || making) return
    try {
      const value = option.create ? await made(option.create) : option.value
      if (done.current) return
      if (!isMany) return finish([value], then)
      const isChosen = values.includes(value)
      if (isGoing(then)) return finish(isChosen ? values : [...values, value], then)
      setValues(isChosen ? values.filter((each) => each !== value) : [...values, value])
      onText(taken())
    } catch (error) {
      if (!done.current) refuse((error as Error).message)
    }
  }
  const made = (create: () => Promise<string>): Promise<string> => {
    keep()
    const found = create().finally(() => setMaking(null))
    setMaking(found)
    return found
  }
  const refuse = (message: string) => {
    onText(text + taken())
    setFault(message)
  }
  /** The highlighted one. Where what is listed does not answer the text yet, it waits, and what is typed comes after. */
  const choose = (then: Then) => {
    if (isSought && isOld) {
      keep()
      return setWanted(then)
    }
    const option = options[at]
    if (isSought && !option) return refuse('Nothing fits: choose one, or Esc')
    if (!option || (isMany && isGoing(then) && !isSought)) return finish(values, then)
    void take(option, then)
  }
  const chooseNow = useEffectEvent(choose)
  useEffect(() => {
    if (wanted === null || isOld) return
    setWanted(null)
    chooseNow(wanted)
  }, [wanted, isOld])
  // Anyone who leaves meanwhile is heard where they went.
  useEffect(
    () => () => {
      if (waits.current) takeTyped()
    },
    [],
  )
  const isWaiting = making !== null || (wanted !== null && isSought && props.find !== undefined)
  /** What was chosen is written also where it is not known yet which one that is. */
  const leave = () => {
    if (!isWaiting) return finish(isMany ? values : props.chosen, 'stay')
    if (done.current) return
    done.current = true
    end()
    taken()
    void writeLater(making ?? props.find!(text.trim()), onLater())
  }
  const writeLater = async (found: Promise<string>, write: (value: unknown) => void) => {
    const letGo = holdPage()
    try {
      const value = await found
      const next = !isMany ? [value] : values.includes(value) ? values : [...values, value]
      if (!isSame(next)) write(wrap(next))
    } catch (error) {
      const { message } = error as Error
      toast({ text: `${column.label} of ${name} stays as it was: ${message}`, kind: 'danger' })
    }
    letGo()
  }
  const isChanged = isWaiting || (isMany && !isSame(values))
  const end = useLeftEditor({ isChanged, isRight: true, save: leave })
  const cancel = () => {
    done.current = true
    end()
    onCancel()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const { key, shiftKey } = event
    const digit = numbers && !text && /^[1-9]$/.test(key) ? options[Number(key) - 1] : undefined
    if (key === 'Escape') cancel()
    else if (key === 'ArrowDown') goTo(Math.min(at + 1, options.length - 1))
    else if (key === 'ArrowUp') goTo(Math.max(at - 1, 0))
    else if (key === 'Tab') choose(shiftKey ? 'left' : 'right')
    else if (key === 'Enter' && isMany && !text && event.ctrlKey) finish(values, 'down')
    else if (key === 'Enter') choose('down')
    else if (key === 'Backspace' && !text) isMany ? setValues(values.slice(0, -1)) : finish([], 'stay')
    else if (digit) void take(digit, 'down')
    else return
    event.preventDefault()
  }
  const list = `${id}-list`
  return (
    <EditorBox box={widened(box)} fault={fault}>
      <input
        className={css.input}
        role="combobox"
        aria-label={`${column.label} of ${name}`}
        aria-expanded
        aria-controls={list}
        aria-activedescendant={options[at] && `${id}-${at}`}
        aria-autocomplete="list"
        autoFocus
        placeholder={placeholder(values, isMany)}
        value={text}
        onChange={(event) => {
          onText(event.target.value)
          setHere(undefined)
          setFault(undefined)
        }}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      <div
        id={list}
        role="listbox"
        aria-label={column.label}
        aria-multiselectable={isMany}
        className={css.list}
      >
        {options.map((option, i) => (
          <div
            key={option.value}
            id={`${id}-${i}`}
            role="option"
            aria-selected={values.includes(option.value)}
            className={css.option}
            data-here={i === at}
            ref={(element) => {
              if (i === at) element?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseDown={(event) => {
              event.preventDefault()
              void take(option, 'stay')
            }}
          >
            <span className={css.tick}>
              {values.includes(option.value) && <Icon name="check" size={14} />}
            </span>
            <span>{option.look && isMany ? option.look : option.text}</span>
            {!isMany && option.look}
            {option.what && <span className={css.what}>{option.what}</span>}
          </div>
        ))}
      </div>
      <p className={css.hint} data-keys={options.length > 0}>
        {hint(options.length, isMany, numbers)}
      </p>
    </EditorBox>
  )
}

interface Highlight {
  here: string | undefined
  isSought: boolean
  chosen: readonly string[]
}

/** Until one is gone to: the first that fits what is sought, else nothing but what is chosen. */
const highlighted = (options: readonly Option[], { here, isSought, chosen }: Highlight): number =>
  here === undefined && isSought
    ? Math.min(0, options.length - 1)
    : options.findIndex(({ value }) => (here === undefined ? chosen.includes(value) : value === here))

const isGoing = (then: Then) => then === 'left' || then === 'right'

const placeholder = (values: readonly string[], isMany: boolean) =>
  isMany ? (values.length ? `${values.length} chosen` : 'Type to find') : 'Type to find'

function hint(found: number, isMany: boolean, numbers: boolean): string {
  if (!found) return 'Nothing fits'
  if (isMany) return 'Enter adds or removes · Tab: done'
  return numbers ? 'Enter or 1–9 · Backspace: none' : 'Enter takes · Backspace: none'
}

function widened(box: DOMRect): DOMRect {
  // Where there is no room beneath, the list is above.
  const top = box.top + 320 > innerHeight ? Math.max(8, innerHeight - 330) : box.top
  return new DOMRect(box.left, top, Math.max(box.width, WIDTH), box.height)
}
