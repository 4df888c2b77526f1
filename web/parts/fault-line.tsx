import type { ReactNode } from 'react'
import { Icon } from '#web/parts/icon.tsx'
import css from '#web/parts/fault-line.module.css'

interface FaultLineProps {
  /** For the `aria-describedby` of what it is about. */
  id?: string
  className?: string | undefined
  children: ReactNode
}

/** What is wrong with what was given: beneath it, said at once. */
export function FaultLine({ id, className, children }: FaultLineProps) {
  return (
    <p id={id} className={`${css.fault} ${className ?? ''}`} role="alert">
      <Icon name="alert" size={14} />
      <span>{children}</span>
    </p>
  )
}
