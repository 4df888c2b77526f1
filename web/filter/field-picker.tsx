import { useMemo, useState } from 'react'
import { Icon, type IconName } from '#web/parts/icon.tsx'
import { fieldNamed, leadsOn, MAX_HOPS } from '#web/rules/condition.ts'
import { type FieldChoice, fieldChoices } from '#web/rules/filter-fields.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { ListBox, type ListChoice } from '#web/filter/list-box.tsx'
import css from '#web/filter/condition-editor.module.css'

const ICONS: Readonly<Record<FieldChoice['type'], IconName>> = {
  search: 'search',
  has_tag: 'tag',
  reverse: 'arrow_left',
  changed: 'history',
  Text: 'text',
  String: 'text',
  Number: 'hash',
  Boolean: 'toggle',
  Date: 'calendar',
  DateTime: 'calendar',
  Time: 'calendar',
  Id: 'key',
  Select: 'sort',
  MultiSelect: 'tag',
  Reference: 'reference',
  MultiReference: 'reference',
  File: 'paperclip',
}

interface FieldPickerProps {
  tags: readonly FilterTag[]
  /** Tags whose fields come first. */
  first: readonly string[]
  /** References that are followed so far. */
  hops: readonly string[]
  onHops: (hops: readonly string[]) => void
  onPick: (choice: FieldChoice) => void
}

interface Choice extends ListChoice {
  choice: FieldChoice
  /** Goes on to the fields of what it refers to. */
  on: boolean
}

/** What a condition is about: a field, or through references a field of something else. */
export function FieldPicker({ tags, first, hops, onHops, onPick }: FieldPickerProps) {
  const [text, setText] = useState('')
  const last = hops.at(-1)
  const meant = useMemo(
    () => (last === undefined ? first : (fieldNamed(last, tags)?.of ?? [])),
    [last, first, tags],
  )
  const all = useMemo(
    () => choicesOf(fieldChoices(tags, meant, { behind: hops.length > 0 }), hops.length < MAX_HOPS),
    [tags, meant, hops.length],
  )
  const goOn = ({ choice, on }: Choice) => {
    setText('')
    if (on) onHops([...hops, choice.subject])
    else onPick(choice)
  }
  return (
    <div>
      {hops.length > 0 && <Trail hops={hops} tags={tags} onHops={onHops} />}
      <ListBox
        label={last === undefined ? 'Field' : `Field behind ${nameOf(last, tags)}`}
        placeholder="Find a field"
        text={text}
        onText={setText}
        choices={fitting(all, text)}
        onChoose={goOn}
        onKey={(event, here) => {
          if (event.key === 'Backspace' && !text && hops.length) onHops(hops.slice(0, -1))
          else if (event.key === 'ArrowRight' && here && leadsOn(here.choice.field) && hops.length < MAX_HOPS)
            goOn({ ...here, on: true })
          else return false
          return true
        }}
        nothing="No field is called like that"
      />
    </div>
  )
}

export const nameOf = (key: string, tags: readonly FilterTag[]): string => fieldNamed(key, tags)?.name ?? key

/** The references followed so far; each leads back to itself. */
function Trail({ hops, tags, onHops }: Pick<FieldPickerProps, 'hops' | 'tags' | 'onHops'>) {
  return (
    <p className={`${css.row} ${css.hops}`}>
      <button type="button" className={css.trail} onClick={() => onHops([])}>
        Item
      </button>
      {hops.map((hop, i) => (
        <button
          key={`${i} ${hop}`}
          type="button"
          className={css.trail}
          onClick={() => onHops(hops.slice(0, i + 1))}
        >
          <span className={css.step} aria-hidden>
            →
          </span>
          {nameOf(hop, tags)}
        </button>
      ))}
    </p>
  )
}

function choicesOf(fields: readonly FieldChoice[], mayHop: boolean): Choice[] {
  return fields.flatMap((choice) => {
    const { subject, label, group, type, field } = choice
    const plain = { key: subject, group, choice, on: false, look: <Look choice={choice} /> }
    if (!mayHop || type === 'reverse' || !leadsOn(field)) return [plain]
    const look = (
      <>
        <Icon name="arrow_right" size={14} />
        <span>{label} → …</span>
        <span className={css.what}>what it refers to</span>
      </>
    )
    return [plain, { key: `${subject}->`, group, choice, on: true, look }]
  })
}

function Look({ choice: { label, type, field } }: { choice: FieldChoice }) {
  return (
    <>
      <Icon name={ICONS[type]} size={14} />
      <span>{type === 'reverse' ? `← ${label}` : label}</span>
      {field?.description && type !== 'reverse' && <span className={css.what}>{field.description}</span>}
    </>
  )
}

function fitting(all: readonly Choice[], text: string): readonly Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return all
  return all.filter(({ choice: { label, group, field } }) => {
    const about = `${group}.${label} ${field?.description ?? ''}`.toLowerCase()
    return words.every((word) => about.includes(word))
  })
}
