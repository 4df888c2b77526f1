import { useQuery } from '@tanstack/react-query'
import { meQuery } from '#web/data/me-query.ts'
import type { Proposal } from '#web/data/proposals-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Keys } from '#web/parts/keys.tsx'

interface DecisionButtonsProps {
  proposal: Proposal
  /** How many of its changes are chosen; none: all of it is meant. */
  chosen: number
  isBusy: boolean
  /** Missing where somebody may not decide. */
  onAccept?: (() => void) | undefined
  onRefuse?: (() => void) | undefined
  onWithdraw: () => void
}

/** What can become of a proposal that is open. */
export function DecisionButtons({
  proposal: { user_id, conflicts },
  chosen,
  isBusy,
  onAccept,
  onRefuse,
  onWithdraw,
}: DecisionButtonsProps) {
  const me = useQuery(meQuery).data?.user_id
  return (
    <>
      {me !== undefined && me === user_id && (
        <Button kind="quiet" icon="undo" disabled={isBusy} onClick={onWithdraw}>
          Withdraw
        </Button>
      )}
      {onRefuse && (
        <Button icon="close" disabled={isBusy} onClick={onRefuse}>
          Refuse <Keys keys="r" />
        </Button>
      )}
      {onAccept && (
        <Button kind="primary" icon="check" disabled={isBusy} onClick={onAccept}>
          {acceptWords(chosen, conflicts.length > 0)} <Keys keys="a" />
        </Button>
      )}
    </>
  )
}

function acceptWords(chosen: number, hasConflicts: boolean): string {
  if (chosen) return `Accept ${chosen.toLocaleString()} selected`
  return hasConflicts ? 'Accept without conflicts' : 'Accept'
}
