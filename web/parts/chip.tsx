import type { ReactNode } from 'react'
import { Icon } from '#web/parts/icon.tsx'
import css from '#web/parts/chip.module.css'

interface ChipProps {
  /** `Remove Person` */
  remove: string
  onRemove: () => void
  /** It was not chosen here, but comes by itself. */
  given?: boolean
  /** Text, or the button that opens it. */
  children: ReactNode
}

/** Something chosen, with the way to take it out again: a condition, a tag, an item. */
export function Chip({ remove, onRemove, given = false, children }: ChipProps) {
  return (
    <span className={css.chip} data-given={given || undefined}>
      <span className={css.words}>{children}</span>
      <button type="button" className={css.remove} aria-label={remove} title={remove} onClick={onRemove}>
        <Icon name="close" size={14} />
      </button>
    </span>
  )
}
