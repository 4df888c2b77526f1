import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { MOST_COUNTED, newestOpenQuery, openProposalsQuery } from '#web/data/proposals-query.ts'
import { Section } from '#web/home/section.tsx'
import { DoneLine } from '#web/parts/done-line.tsx'
import { Name } from '#web/parts/name.tsx'
import { useProposerWords } from '#web/data/proposer-words.ts'
import css from '#web/home/due.module.css'

/** What agents and others have proposed, and nobody has decided. */
export function Decisions() {
  const { data: open = [] } = useQuery(newestOpenQuery)
  const count = useQuery(openProposalsQuery).data ?? open.length
  const proposer = useProposerWords()
  if (!open.length) return null
  return (
    <Section
      title="Waits for a decision"
      more={
        count > open.length && (
          <Link href="/proposals">All {count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}</Link>
        )
      }
    >
      <ul className={css.list}>
        {open.map((proposal) => (
          <DoneLine
            key={proposal.proposal_id}
            icon="help"
            what={proposal.summary}
            href={`/proposals/${proposal.proposal_id}`}
            who={<Name of={proposer(proposal)} />}
            at={proposal.created_at!}
            also={`${proposal.changed_count.toLocaleString()} changed`}
          />
        ))}
      </ul>
    </Section>
  )
}
