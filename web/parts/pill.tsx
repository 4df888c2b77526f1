import type { ReactNode } from 'react'
import css from '#web/parts/pill.module.css'

const HUES = 6

/** The same name has the same colour everywhere. */
export function hueOf(name: string): number {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0
  return hash % HUES
}

/** A variant of a MultiSelect. */
export function Pill({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <span className={`${css.pill} ${css[`hue${hueOf(name)}`]}`}>
      {name}
      {children}
    </span>
  )
}
