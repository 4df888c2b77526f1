import { type ReactNode, useState } from 'react'
import { useMayWrite } from '#web/data/may-write.ts'
import type { PathChange } from '#web/data/changes-query.ts'
import type { Proposal, ProposedChange } from '#web/data/proposals-query.ts'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { Name } from '#web/parts/name.tsx'
import { Page, PageSection } from '#web/parts/page.tsx'
import { DecisionButtons } from '#web/proposal/decision-buttons.tsx'
import { DecisionNote } from '#web/proposal/decision-note.tsx'
import { ProposalConflicts } from '#web/proposal/proposal-conflicts.tsx'
import { ProposedPart } from '#web/proposal/proposed-part.tsx'
import { useProposerWords } from '#web/data/proposer-words.ts'
import { idOfChange, useDecide } from '#web/proposal/use-decide.ts'
import { plainName } from '#web/rules/plain-name.ts'
import { sayMoment } from '#web/rules/say-time.ts'
import css from '#web/proposal/proposal-view.module.css'

const RefuseDialog = loadedDialog(() =>
  import('#web/proposal/refuse-dialog.tsx').then(({ RefuseDialog }) => RefuseDialog),
)

interface ProposalViewProps {
  proposal: Proposal
  /** As far as they are read. */
  changes: readonly ProposedChange[]
  /** Reads more of them, where there are more. */
  onMore?: (() => void) | undefined
  /** A value before and after. */
  renderChange: (change: PathChange) => ReactNode
}

/** One proposal: what it would change, what has moved since, and the decision. */
export function ProposalView({ proposal, changes, onMore, renderChange }: ProposalViewProps) {
  const proposer = useProposerWords()
  const isOpen = proposal.state === 'open'
  const mayDecide = useMayWrite() && isOpen
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set())
  const [isRefusing, setRefusing] = useState(false)
  const { isBusy, accept, refuse, withdraw } = useDecide(proposal)
  const chosen = changes.filter((each) => marks.has(idOfChange(each)))
  const acceptChosen = () => void accept(chosen, chosen.length ? chosen : changes)
  useActions(
    mayDecide
      ? [
          { id: 'proposal.accept', title: 'Accept', keys: 'a', group: 'Proposal', run: acceptChosen },
          {
            id: 'proposal.refuse',
            title: 'Refuse',
            keys: 'r',
            group: 'Proposal',
            run: () => setRefusing(true),
          },
        ]
      : [],
  )
  const mark = (id: string, isMarked: boolean) =>
    setMarks(isMarked ? marks.union(new Set([id])) : marks.difference(new Set([id])))
  return (
    <Page
      title={plainName(proposal.summary)}
      lead={
        <>
          Proposed by <Name of={proposer(proposal)} />, {sayMoment(proposal.created_at!)}.
        </>
      }
      actions={
        isOpen && (
          <DecisionButtons
            proposal={proposal}
            chosen={chosen.length}
            isBusy={isBusy}
            onAccept={mayDecide ? acceptChosen : undefined}
            onRefuse={mayDecide ? () => setRefusing(true) : undefined}
            onWithdraw={() => void withdraw()}
          />
        )
      }
    >
      {proposal.message !== null && <Message of={proposal.message} />}
      <DecisionNote proposal={proposal} />
      {proposal.conflicts.length > 0 && (
        <ProposalConflicts conflicts={proposal.conflicts} changes={changes} renderChange={renderChange} />
      )}
      <PageSection title={TITLES[proposal.state!]}>
        <ul className={css.list} aria-label="What it would change">
          {changes.map((part) => (
            <ProposedPart key={idOfChange(part)} part={part} made={proposal.made} renderChange={renderChange}>
              {mayDecide && proposal.changed_count > 1 && (
                <input
                  type="checkbox"
                  aria-label={`Select ${plainName(part.name)}`}
                  checked={marks.has(idOfChange(part))}
                  onChange={({ target }) => mark(idOfChange(part), target.checked)}
                />
              )}
            </ProposedPart>
          ))}
        </ul>
        {onMore && (
          <div>
            <Button onClick={onMore}>Show more</Button>
          </div>
        )}
      </PageSection>
      {isRefusing && (
        <RefuseDialog
          summary={proposal.summary}
          isBusy={isBusy}
          onRefuse={(reason) => void refuse(reason).then((isDone) => isDone && setRefusing(false))}
          onClose={() => setRefusing(false)}
        />
      )}
    </Page>
  )
}

const TITLES: Readonly<Record<NonNullable<Proposal['state']>, string>> = {
  open: 'What it would change',
  accepted: 'What it changed',
  refused: 'What it would have changed',
  withdrawn: 'What it would have changed',
}

/** As it was written, line by line, and nothing but text. */
const Message = ({ of }: { of: string }) => (
  <p className={css.message}>
    <bdi>{of.split('\n').map(plainName).join('\n')}</bdi>
  </p>
)
