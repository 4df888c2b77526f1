import type { ComponentProps } from 'react'
import css from '#web/parts/select.module.css'

/** The browser's own list, which every phone and screen reader knows. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={`${css.select} ${className ?? ''}`} />
}
