import { Popover as Base, PopoverDisclosure, PopoverProvider } from '@ariakit/react'
import type { ReactNode } from 'react'
import { overPage } from '#web/parts/over-page.ts'
import css from '#web/parts/popover.module.css'

export interface PopoverProps {
  /** What the button that opens it shows. */
  button: ReactNode
  buttonClassName?: string | undefined
  /** Of the button, where it shows no words; and of what opens. */
  label: string
  /** What the button says where it is not what opens. */
  buttonLabel?: string | undefined
  open?: boolean
  onOpen?: (open: boolean) => void
  children: (close: () => void) => ReactNode
}

/** Something small that opens at its button; Escape and a click outside close it. */
export function Popover(props: PopoverProps) {
  const { button, buttonClassName, label, buttonLabel, open, onOpen, children } = props
  return (
    <PopoverProvider
      placement="bottom-start"
      {...(open !== undefined && { open })}
      {...(onOpen && { setOpen: onOpen })}
    >
      <PopoverDisclosure className={buttonClassName} aria-label={buttonLabel}>
        {button}
      </PopoverDisclosure>
      <Base
        className={css.popover}
        aria-label={label}
        gutter={4}
        portal
        portalElement={overPage}
        fixed
        unmountOnHide
      >
        {children(() => onOpen?.(false))}
      </Base>
    </PopoverProvider>
  )
}
