import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useMayWrite } from '#web/data/may-write.ts'
import type { PathChange } from '#web/data/changes-query.ts'
import { type Proposal, type ProposedChange, proposalQuery } from '#web/data/proposals-query.ts'
import { Button } from '#web/parts/button.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { Name } from '#web/parts/name.tsx'
import { DecisionNote } from '#web/proposal/decision-note.tsx'
import { ProposalConflicts } from '#web/proposal/proposal-conflicts.tsx'
import { ProposedPart } from '#web/proposal/proposed-part.tsx'
import { idOfChange, useDecide } from '#web/proposal/use-decide.ts'
import css from '#web/proposal/proposal-card.module.css'

const RefuseDialog = loadedDialog(() =>
  import('#web/proposal/refuse-dialog.tsx').then(({ RefuseDialog }) => RefuseDialog),
)

/** More of its changes are on its page. */
const MOST_SHOWN = 5

interface ProposalCardProps {
  proposal_id: string
  /** A value before and after. */
  renderChange: (change: PathChange) => ReactNode
}

/** A proposal where it was made: what it would change, and the decision. */
export function ProposalCard({ proposal_id, renderChange }: ProposalCardProps) {
  const { data, error } = useInfiniteQuery(proposalQuery(proposal_id))
  const proposal = data?.pages[0]?.data
  if (error) return <p className={css.gone}>{error.message}</p>
  if (!proposal) return null
  const { summary, changes, made, conflicts, changed_count, state } = proposal
  const shown = changes.slice(0, MOST_SHOWN)
  const more = changed_count - shown.length
  return (
    <section
      className={css.card}
      aria-label={`Proposal: ${summary}`}
      data-open={state === 'open' || undefined}
    >
      <p className={css.title}>
        <Name of={summary} />
      </p>
      <DecisionNote proposal={proposal} />
      {conflicts.length > 0 && (
        <ProposalConflicts conflicts={conflicts} changes={changes} renderChange={renderChange} />
      )}
      {shown.length > 0 && (
        <ul className={css.parts} aria-label="What it would change">
          {shown.map((part) => (
            <ProposedPart key={idOfChange(part)} part={part} made={made} renderChange={renderChange} />
          ))}
        </ul>
      )}
      <Decision proposal={proposal} changes={changes} more={more} />
    </section>
  )
}

interface DecisionProps {
  proposal: Proposal
  changes: readonly ProposedChange[]
  more: number
}

/** What can become of it, while it is open; all of it is on its page. */
function Decision({ proposal, changes, more }: DecisionProps) {
  const { proposal_id, state, conflicts, summary } = proposal
  const mayDecide = useMayWrite() && state === 'open'
  const [isRefusing, setRefusing] = useState(false)
  const { isBusy, accept, refuse } = useDecide(proposal)
  return (
    <div className={css.buttons}>
      {mayDecide && (
        <>
          <Button kind="primary" icon="check" disabled={isBusy} onClick={() => void accept([], changes)}>
            {conflicts.length ? 'Accept without conflicts' : 'Accept'}
          </Button>
          <Button icon="close" disabled={isBusy} onClick={() => setRefusing(true)}>
            Refuse
          </Button>
        </>
      )}
      <Link href={`/proposals/${proposal_id}`} className={css.open}>
        {more > 0 ? `Open: ${more.toLocaleString()} more` : 'Open'}
      </Link>
      {isRefusing && (
        <RefuseDialog
          summary={summary}
          isBusy={isBusy}
          onRefuse={(reason) => void refuse(reason).then((isDone) => isDone && setRefusing(false))}
          onClose={() => setRefusing(false)}
        />
      )}
    </div>
  )
}
