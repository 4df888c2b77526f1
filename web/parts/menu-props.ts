import type { ReactNode, RefObject } from 'react'
import type { IconName } from '#web/parts/icon.tsx'

export interface MenuEntry {
  label: string
  icon?: IconName
  /** In the place of an icon. */
  sign?: ReactNode
  /** As in an action: `mod+c`. */
  keys?: string
  danger?: boolean
  disabled?: boolean
  /** A line above it. */
  parted?: boolean
  /** One of several that are on or off; the menu stays open. */
  checked?: boolean
  run: () => void
}

export interface MenuProps {
  /** The button that opens it. */
  button: ReactNode
  /** Where the button shows no words. */
  label?: string
  buttonClassName?: string | undefined
  buttonRef?: RefObject<HTMLButtonElement | null>
  placement?: 'bottom-start' | 'bottom-end'
  entries: readonly MenuEntry[]
}
