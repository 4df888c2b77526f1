import { useId } from 'react'
import css from '#web/parts/segments.module.css'

interface SegmentsProps<T extends string | number> {
  label: string
  options: readonly (readonly [value: T, words: string])[]
  value: T
  onChoose: (value: T) => void
}

/** One of a few, all in sight; arrows go through them. */
export function Segments<T extends string | number>(props: SegmentsProps<T>) {
  const { label, options, value, onChoose } = props
  const name = useId()
  return (
    <fieldset className={css.segments}>
      <legend>{label}</legend>
      <div className={css.row}>
        {options.map(([each, words]) => (
          <label key={each} className={css.segment}>
            <input type="radio" name={name} checked={each === value} onChange={() => onChoose(each)} />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
