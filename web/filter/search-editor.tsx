import { searchOf, searchValue } from '#web/rules/condition.ts'
import css from '#web/filter/condition-editor.module.css'

const PLACES = [
  ['name', 'Name'],
  ['description', 'Description'],
  ['values', 'Values'],
] as const
const USUAL = ['name', 'description'] as const

interface SearchEditorProps {
  value: unknown
  onValue: (value: unknown) => void
}

/** A text, where it is looked for, and whether its words may be apart. */
export function SearchEditor({ value, onValue }: SearchEditorProps) {
  const form = (value === undefined ? undefined : searchOf(value)) ?? { text: '' }
  const places = form.in ?? USUAL
  const change = (changes: Partial<typeof form>) => {
    const next = { ...form, ...changes }
    onValue(next.text ? searchValue(next) : undefined)
  }
  const toggle = (place: (typeof PLACES)[number][0]) => {
    const next = PLACES.map(([each]) => each).filter((each) =>
      each === place ? !places.includes(each) : places.includes(each),
    )
    if (next.length) change({ in: next })
  }
  return (
    <>
      <input
        className={css.input}
        aria-label="Text"
        autoFocus={value === undefined}
        value={form.text}
        onChange={(event) => change({ text: event.target.value })}
      />
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
      <label className={css.check}>
        <input
          type="checkbox"
          checked={form.match === 'words'}
          onChange={(event) => change({ match: event.target.checked ? 'words' : 'phrase' })}
        />
        All words, in any order
      </label>
    </>
  )
}
