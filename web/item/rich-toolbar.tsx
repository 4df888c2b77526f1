import type { Command, EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type KeyboardEvent, type SyntheticEvent, useRef, useState } from 'react'
import { isItemAddress } from '#web/item/clean-html.ts'
import * as commands from '#web/item/rich-commands.ts'
import { keyNames } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { Field } from '#web/parts/field.tsx'
import { Icon, type IconName } from '#web/parts/icon.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import {
  addColumn,
  addRow,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
} from '#web/item/table-commands.ts'
import { Menu } from '#web/parts/menu.tsx'
import css from '#web/item/rich-toolbar.module.css'

interface RichToolbarProps {
  view: EditorView
  state: EditorState
  isLinking: boolean
  onLinking: (isLinking: boolean) => void
}

const GROUPS: readonly (readonly [IconName, commands.RichCommand][])[] = [
  [
    ['bold', commands.bold],
    ['italic', commands.italic],
    ['code', commands.code],
  ],
  [
    ['list', commands.bulletList],
    ['list_ordered', commands.orderedList],
    ['checklist', commands.checklist],
    ['quote', commands.quote],
    ['code_block', commands.codeBlock],
  ],
]

/** What the selection can become. One stop of Tab; the arrows go on within it. */
export function RichToolbar({ view, state, isLinking, onLinking }: RichToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const run = (command: Command) => {
    command(view.state, (transaction) => view.dispatch(transaction))
    view.focus()
  }
  const level = commands.levelOf(state)
  const href = commands.linkAt(state)
  return (
    <>
      <div ref={bar} role="toolbar" aria-label="Format" className={css.bar} onKeyDown={onArrow}>
        <Listbox
          label="Kind of line"
          className={css.line}
          value={String(commands.LINES.some((line) => line.level === level) ? level : 2)}
          options={commands.LINES.map((line) => [String(line.level), line.label] as const)}
          onValue={(next) => run(commands.setLine(Number(next)))}
        />
        {GROUPS.map((group) => (
          <div key={group[0]![0]} className={css.group}>
            {group.map(([icon, command]) => (
              <Format
                key={icon}
                icon={icon}
                label={command.label}
                keys={command.keys}
                isOn={command.isOn(state)}
                isDisabled={!command.run(state)}
                onClick={() => run(command.run)}
              />
            ))}
            {group[0]![0] === 'bold' && (
              <Format
                icon="link"
                label="Link"
                keys="Mod-k"
                isOn={href !== undefined || isLinking}
                isDisabled={false}
                onClick={() => onLinking(!isLinking)}
              />
            )}
          </div>
        ))}
        <Format
          icon="plus"
          label="Insert"
          keys="/"
          isDisabled={state.selection.$from.parent.type.spec.code === true}
          onClick={() => run(insertSlash)}
        />
        {isInTable(state) && <TableMenu state={state} run={run} />}
      </div>
      {isLinking && (
        <LinkForm
          href={href}
          onHref={(given) => {
            onLinking(false)
            if (given === undefined) view.focus()
            else run(commands.setLink(given))
          }}
        />
      )}
    </>
  )
}

/** What is offered then is what `/` offers. */
const insertSlash: Command = (state, dispatch) => {
  const { $from, to } = state.selection
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, ' ')
  dispatch?.(state.tr.insertText(/(?:^|\s)$/.test(before) ? '/' : ' /', to))
  return true
}

const IN_TABLE: readonly (readonly [string, Command])[] = [
  ['Row beneath', addRow],
  ['Column to the right', addColumn],
  ['Delete row', deleteRow],
  ['Delete column', deleteColumn],
  ['Delete table', deleteTable],
]

function TableMenu({ state, run }: { state: EditorState; run: (command: Command) => void }) {
  return (
    <div className={css.group}>
      <Menu
        label="Table"
        buttonClassName={css.button}
        button={<Icon name="table" />}
        entries={IN_TABLE.map(([label, command], i) => ({
          label,
          icon: i < 2 ? 'plus' : 'trash',
          parted: i === 2,
          danger: i > 1,
          disabled: !command(state),
          // The menu gives the focus back to its button first.
          run: () => setTimeout(() => run(command)),
        }))}
      />
    </div>
  )
}

interface FormatProps {
  icon: IconName
  label: string
  keys: string
  /** Undefined: it does something, and is nothing afterwards. */
  isOn?: boolean
  isDisabled: boolean
  onClick: () => void
}

function Format({ icon, label, keys, isOn, isDisabled, onClick }: FormatProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={css.button}
      aria-label={label}
      aria-pressed={isOn}
      aria-disabled={isDisabled}
      title={`${label} (${keyNames(keys.toLowerCase().replaceAll('-', '+')).join(' ')})`}
      // The selection stays where it is.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => !isDisabled && onClick()}
    >
      <Icon name={icon} />
    </button>
  )
}

function onArrow(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const next = stops[(stops.indexOf(event.target as HTMLElement) + step + stops.length) % stops.length]
  event.preventDefault()
  next?.focus()
}

interface LinkFormProps {
  href: string | undefined
  /** Empty: the link goes; undefined: all stays. */
  onHref: (href: string | undefined) => void
}

function LinkForm({ href, onHref }: LinkFormProps) {
  const [given, setGiven] = useState(href ?? '')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const address = asAddress(given)
    if (address === undefined) setWrong(true)
    else onHref(address)
  }
  return (
    <form
      className={css.link}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onHref(undefined)
      }}
    >
      <Field
        label="Where the link leads"
        autoFocus
        inputMode="url"
        placeholder="https://"
        value={given}
        fault={isWrong ? 'A link begins with https://, http:// or mailto:' : undefined}
        onChange={(event) => {
          setGiven(event.target.value)
          setWrong(false)
        }}
      />
      <div className={css.buttons}>
        {href !== undefined && (
          <Button kind="quiet" onClick={() => onHref('')}>
            Remove link
          </Button>
        )}
        <Button type="submit">{href === undefined ? 'Add link' : 'Change link'}</Button>
      </div>
    </form>
  )
}

/** `example.org` is meant as https; an address of mail as one, the page of an item as the item. */
function asAddress(given: string): string | undefined {
  const text = given.trim()
  if (isItemAddress(text)) return text
  if (URL.canParse(text)) {
    const { origin, pathname } = new URL(text)
    if (origin === location.origin && isItemAddress(pathname)) return pathname
  }
  if (!text || /^(?:https?:\/\/|mailto:)\S+$/i.test(text)) return text
  if (/^[^\s@:/]+@[^\s@]+\.[^\s@]+$/.test(text)) return `mailto:${text}`
  return /^[^\s:/]+\.[^\s:/]+(?:[:/?#]\S*)?$/.test(text) ? `https://${text}` : undefined
}
