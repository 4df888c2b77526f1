import type { ReactNode } from 'react'
import { Icon } from '#web/parts/icon.tsx'
import { Name } from '#web/parts/name.tsx'
import css from '#web/filter/filter-bar.module.css'

interface GoneLineProps {
  /** What is asked for and not there any more. */
  children: ReactNode
  /** What it is called by now; undefined where it is not there under any name. */
  now: string | undefined
  onNow: (now: string) => void
  onAway: () => void
}

/** Something that is asked for and not there any more: by which name it is, or the way to be rid of the condition. */
export function GoneLine({ children, now, onNow, onAway }: GoneLineProps) {
  const isThere = now !== undefined
  return (
    <p className={css.warning}>
      <Icon name="alert" size={14} />
      <span>
        {children} any more
        {isThere && (
          <>
            : it is called <Name of={now} />
          </>
        )}
        .{' '}
        {isThere && (
          <button type="button" className={css.include} onClick={() => onNow(now)}>
            Ask for <Name of={now} />
          </button>
        )}
        {isThere && ' · '}
        <button type="button" className={css.include} onClick={onAway}>
          Take the condition away
        </button>
      </span>
    </p>
  )
}
