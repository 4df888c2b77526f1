import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from '#web/parts/icon.tsx'
import css from '#web/parts/button.module.css'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** `primary`: what most people want next, once on a page. */
  kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  icon?: IconName
  children: ReactNode
}

export function Button({ kind = 'plain', icon, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={`${css.button} ${css[kind]} ${className ?? ''}`}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: IconName
  /** Says what it does; shown when the pointer rests on it. */
  label: string
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`${css.icon} ${className ?? ''}`}
    >
      <Icon name={icon} />
    </button>
  )
}
