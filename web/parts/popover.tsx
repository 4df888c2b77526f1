import { Popover as Base, PopoverDisclosure, PopoverProvider } from '@ariakit/react'
import { createContext, type ReactNode, useContext, useEffect, useReducer } from 'react'
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

const HoldOpen = createContext<(by: 1 | -1) => void>(() => undefined)

/** From within a popover: what has begun in it is not done yet, and a click outside leaves it open. */
export function useHoldOpen(isHeld: boolean): void {
  const hold = useContext(HoldOpen)
  useEffect(() => {
    if (!isHeld) return
    hold(1)
    return () => hold(-1)
  }, [isHeld, hold])
}

/** Something small that opens at its button; Escape and a click outside close it. */
export function Popover(props: PopoverProps) {
  const { button, buttonClassName, label, buttonLabel, open, onOpen, children } = props
  const [holds, hold] = useReducer((count: number, by: number) => count + by, 0)
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
        hideOnInteractOutside={holds === 0}
      >
        <HoldOpen value={hold}>{children(() => onOpen?.(false))}</HoldOpen>
      </Base>
    </PopoverProvider>
  )
}
