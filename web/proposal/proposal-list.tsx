import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { type ListedProposal, type ProposalState, proposalsQuery } from '#web/data/proposals-query.ts'
import { DoneLine } from '#web/parts/done-line.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import type { IconName } from '#web/parts/icon.tsx'
import { Name } from '#web/parts/name.tsx'
import { Note } from '#web/parts/note.tsx'
import { OlderButton } from '#web/parts/older-button.tsx'
import { Page } from '#web/parts/page.tsx'
import { useProposerWords } from '#web/data/proposer-words.ts'
import css from '#web/proposal/proposal-list.module.css'

const STATES: Readonly<Record<ProposalState, { words: string; icon: IconName; none: string }>> = {
  open: { words: 'Open', icon: 'help', none: 'Nothing waits for a decision' },
  accepted: { words: 'Accepted', icon: 'check', none: 'No proposal has been accepted' },
  refused: { words: 'Refused', icon: 'close', none: 'No proposal has been refused' },
  withdrawn: { words: 'Withdrawn', icon: 'undo', none: 'No proposal has been withdrawn' },
}

const isState = (text: string): text is ProposalState => Object.hasOwn(STATES, text)

/** What agents and others have proposed, newest first. */
export function ProposalList() {
  const [query, setQuery] = useSearchParams()
  const wanted = query.get('state') ?? 'open'
  const state = isState(wanted) ? wanted : null
  const { data, error, ...more } = useInfiniteQuery(proposalsQuery(state))
  const proposals = data?.pages.flatMap((page) => page.data)
  return (
    <Page
      title="Proposals"
      lead="Changes that agents and others have proposed. They count when an editor or owner accepts them."
    >
      <div>
        <Listbox
          label="State"
          value={state ?? 'all'}
          options={[
            ...Object.entries(STATES).map(([value, { words }]) => [value, words] as const),
            ['all', 'All'],
          ]}
          onValue={(next) => setQuery(next === 'open' ? {} : { state: next })}
        />
      </div>
      {error && <Note kind="danger">{error.message}</Note>}
      {proposals && !proposals.length && (
        <EmptyState icon="check" title={state ? STATES[state].none : 'Nothing has been proposed'}>
          <p>
            A key or app with the scope <code>propose</code> changes nothing by itself: what it would change
            is listed here. <Link href="/settings/agents">Agents and keys</Link>
          </p>
        </EmptyState>
      )}
      <ul className={css.list} aria-label="Proposals">
        {proposals?.map((proposal) => (
          <ProposalLine key={proposal.proposal_id} proposal={proposal} />
        ))}
      </ul>
      <OlderButton {...more} />
    </Page>
  )
}

function ProposalLine({ proposal }: { proposal: ListedProposal }) {
  const proposer = useProposerWords()
  const { proposal_id, summary, message, reason, changed_count } = proposal
  const { words, icon } = STATES[proposal.state!]
  return (
    <DoneLine
      icon={icon}
      what={summary}
      href={`/proposals/${proposal_id}`}
      who={
        <>
          {words} · <Name of={proposer(proposal)} />
        </>
      }
      at={proposal.created_at!}
      also={`${changed_count.toLocaleString()} changed`}
      more={
        <>
          {message !== null && (
            <p className={css.message}>
              <Name of={message} />
            </p>
          )}
          {reason !== null && (
            <p className={css.message}>
              Reason: <Name of={reason} />
            </p>
          )}
        </>
      }
    />
  )
}
