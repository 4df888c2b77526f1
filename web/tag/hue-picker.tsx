import { useId } from 'react'
import { HUES } from '#web/rules/hues.ts'
import css from '#web/tag/look-picker.module.css'

interface HuePickerProps {
  label: string
  /** What it is called to choose none. */
  none: string
  /** How that looks; null: grey. */
  noneHue: number | null
  /** Of the palette; null: none is chosen. */
  hue: number | null
  onHue: (hue: number | null) => void
}

/** The palette: one colour, or none; arrows go through it. */
export function HuePicker({ label, none, noneHue, hue, onHue }: HuePickerProps) {
  const name = useId()
  const option = (index: number | null, words: string, shown: number | null) => (
    <label key={words} className={css.hue} title={words} data-hue={shown ?? undefined}>
      <input
        type="radio"
        name={name}
        aria-label={words}
        checked={hue === index}
        onChange={() => onHue(index)}
      />
      <span className={index === null ? css.none : undefined} />
    </label>
  )
  return (
    <fieldset className={css.group}>
      <legend>{label}</legend>
      <div className={css.hues}>
        {option(null, none, noneHue)}
        {HUES.map((each, i) => option(i, each, i))}
      </div>
    </fieldset>
  )
}
