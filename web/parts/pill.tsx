import type { ReactNode } from 'react'
import css from '#web/parts/pill.module.css'

const HUES = 6

/** The same name has the same colour everywhere. */
export function hueOf(name: string): number {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0
  return hash % HUES
}

interface PillProps {
  name: string
  /** A tag's name: no colour of its own. */
  plain?: boolean
  /** Where it is among its variants: neighbours differ. Without it the name decides. */
  position?: number | undefined
  children?: ReactNode
}

/** A variant of a MultiSelect, or a tag that an item has. */
export function Pill({ name, plain = false, position = -1, children }: PillProps) {
  const hue = position < 0 ? hueOf(name) : position % HUES
  return (
    <span className={`${css.pill} ${plain ? css.plain : css[`hue${hue}`]}`}>
      {name}
      {children}
    </span>
  )
}
