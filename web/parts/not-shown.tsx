import type { ReactNode } from 'react'
import { Fault } from '#web/api/fault.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'

interface NotShownProps {
  /** `import`: what its address should lead to. */
  what: string
  error: Error | null
  onAgain: () => void
  /** Where one may look for it. */
  children?: ReactNode
}

/** The service says that there is none; anything else may pass, also a 404 of something in between. */
export const isAbsent = (error: Error | null): boolean => error instanceof Fault && error.code === 'NotFound'

/** In place of a page of something: that there is no such thing, or why it cannot be shown now. */
export function NotShown({ what, error, onAgain, children }: NotShownProps) {
  if (!error || isAbsent(error))
    return (
      <EmptyState whole icon="search" title={`There is no such ${what}`}>
        <p>{error?.message ?? 'Its address may be mistyped.'}</p>
        {children}
      </EmptyState>
    )
  return (
    <EmptyState whole icon="alert" title={`This ${what} cannot be shown`}>
      <FaultLine>{error.message}</FaultLine>
      <Button onClick={onAgain}>Try again</Button>
      {children}
    </EmptyState>
  )
}
