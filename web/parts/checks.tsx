import type { ReactNode } from 'react'
import css from '#web/parts/checks.module.css'

interface ChecksProps {
  label: string
  names: readonly string[]
  chosen: readonly string[]
  /** What a name is known by. */
  signOf?: (name: string) => ReactNode
  /** undefined: none is chosen. */
  onChoose: (names: readonly string[] | undefined) => void
}

/** Several of a few names. */
export function Checks({ label, names, chosen, signOf, onChoose }: ChecksProps) {
  const toggle = (name: string) => {
    const next = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]
    onChoose(next.length ? next : undefined)
  }
  return (
    <fieldset className={css.checks} aria-label={label}>
      {names.map((name) => (
        <label key={name} className={css.check}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
          {signOf?.(name)}
          {name}
        </label>
      ))}
    </fieldset>
  )
}
