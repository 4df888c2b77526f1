import { useState } from 'react'
import { Button } from '#web/parts/button.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { searchOf, searchValue } from '#web/rules/condition.ts'
import css from '#web/filter/condition-editor.module.css'

const PLACES = [
  ['name', 'Name'],
  ['description', 'Description'],
  ['values', 'Values'],
] as const
const USUAL = ['name', 'description'] as const

const MATCHES = [
  ['phrase', 'The text as it stands'],
  ['words', 'All words, in any order'],
  ['any', 'Any of the words, best first'],
] as const

/** As many as the service takes. */
const MOST_TEXTS = 20

interface SearchEditorProps {
  value: unknown
  onValue: (value: unknown) => void
}

/** A text, or several for the same thing, where it is looked for, and how its words are. */
export function SearchEditor({ value, onValue }: SearchEditorProps) {
  const form = (value === undefined ? undefined : searchOf(value)) ?? { text: '' }
  const places = form.in ?? USUAL
  const texts = typeof form.text === 'string' ? [form.text] : form.text
  // Not in the filter until somebody types: an empty text would be one that everything has.
  const [adding, setAdding] = useState(false)
  const shown = adding ? [...texts, ''] : texts
  const change = (changes: Partial<typeof form>) => {
    const next = { ...form, ...changes }
    onValue(next.text.length ? searchValue(next) : undefined)
  }
  /** One text alone is no list; what is empty is none. */
  const setText = (at: number, text: string) => {
    const next = shown.map((each, i) => (i === at ? text : each)).filter((each) => each !== '')
    setAdding(adding && at < texts.length)
    change({ text: next.length > 1 ? next : (next[0] ?? '') })
  }
  const toggle = (place: (typeof PLACES)[number][0]) => {
    const next = PLACES.map(([each]) => each).filter((each) =>
      each === place ? !places.includes(each) : places.includes(each),
    )
    if (next.length) change({ in: next })
  }
  return (
    <>
      {shown.map((text, at) => (
        <input
          // oxlint-disable-next-line react/no-array-index-key -- a text has no other name than its place
          key={at}
          className={css.input}
          aria-label={at ? `Or, for the same, text ${at + 1}` : 'Text'}
          autoFocus={at ? text === '' : value === undefined}
          value={text}
          onChange={(event) => setText(at, event.target.value)}
        />
      ))}
      {texts[0] && shown.length < MOST_TEXTS && !adding && (
        <Button onClick={() => setAdding(true)}>Or other words for the same</Button>
      )}
      <div className={css.row}>
        {PLACES.map(([place, label]) => (
          <label key={place} className={css.check}>
            <input
              type="checkbox"
              checked={(places as readonly string[]).includes(place)}
              onChange={() => toggle(place)}
            />
            {label}
          </label>
        ))}
      </div>
      <Listbox
        label="How its words are found"
        value={form.match ?? 'phrase'}
        options={MATCHES}
        onValue={(match) => change({ match })}
      />
    </>
  )
}
