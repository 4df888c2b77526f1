import { Dialog as Base, DialogDismiss, DialogHeading } from '@ariakit/react'
import type { ReactNode } from 'react'
import { DialogHere, useDialogKeys } from '#web/parts/action.ts'
import { Icon } from '#web/parts/icon.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { useTyped } from '#web/parts/use-typed.ts'
import { plainName } from '#web/rules/plain-name.ts'
import css from '#web/parts/dialog.module.css'

export interface DialogProps {
  title: string
  onClose: () => void
  /** Buttons, the one that goes on last. */
  footer?: ReactNode
  /** Something is chosen in it that would be lost; what is typed is known by itself. */
  isChanged?: boolean
  /** It cannot be left by Escape or a click outside. */
  firm?: boolean
  width?: 'narrow' | 'wide'
  children: ReactNode
}

/** Over the page, which waits; a sheet from below on a phone. A click outside leaves it where nothing is typed or chosen. */
export function Dialog(props: DialogProps) {
  const { title, onClose, footer, isChanged = false, firm = false, width = 'narrow', children } = props
  const { isTyped, onInput } = useTyped()
  const here = useDialogKeys()
  // As long as it is being sent nothing can be lost, and what is sent may lead elsewhere.
  const isHeld = isTyped || isChanged
  useLeaveGuard(isHeld && !firm)
  return (
    <DialogHere value={here}>
      <Base
        open
        onInput={onInput}
        onClose={onClose}
        className={`${css.dialog} ${css[width]}`}
        backdrop={<div className={css.backdrop} />}
        hideOnEscape={!firm}
        hideOnInteractOutside={!firm && !isHeld}
      >
        <header className={css.header}>
          <DialogHeading className={css.title}>{plainName(title)}</DialogHeading>
        </header>
        <div className={css.body} ref={makeScrollable}>
          {children}
        </div>
        {footer && <footer className={css.footer}>{footer}</footer>}
        {/* Last, so that the focus begins at what is to be done. */}
        {!firm && (
          <DialogDismiss className={css.dismiss} aria-label="Close">
            <Icon name="close" />
          </DialogDismiss>
        )}
      </Base>
    </DialogHere>
  )
}

const FOCUSABLE = 'a[href], button, input, textarea, [tabindex]'

/** What has nothing to stop at is itself a stop, so that keys can scroll it; also when it is so only by what comes later. */
function makeScrollable(body: HTMLDivElement | null): (() => void) | undefined {
  if (!body) return undefined
  const look = () => {
    if (body.scrollHeight > body.clientHeight && !body.querySelector(FOCUSABLE)) body.tabIndex = 0
    else if (body !== document.activeElement) body.removeAttribute('tabindex')
  }
  const sizes = new ResizeObserver(look)
  sizes.observe(body)
  const contents = new MutationObserver(look)
  contents.observe(body, { childList: true, subtree: true, characterData: true })
  look()
  return () => {
    sizes.disconnect()
    contents.disconnect()
  }
}
