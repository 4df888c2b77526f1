import { Link } from 'wouter'
import type { Proposal } from '#web/data/proposals-query.ts'
import { useNameOfUser } from '#web/data/users-query.ts'
import { Name } from '#web/parts/name.tsx'
import { Note } from '#web/parts/note.tsx'
import { sayMoment } from '#web/rules/say-time.ts'

const WORDS = {
  open: 'Some of it was accepted',
  accepted: 'Accepted',
  refused: 'Refused',
  withdrawn: 'Withdrawn',
}

/** What became of a proposal, or of some of it: by whom, why, and the changes that it made. */
export function DecisionNote({ proposal }: { proposal: Proposal }) {
  const nameOf = useNameOfUser()
  const { decided_by, decided_at, reason, change_ids } = proposal
  const state = proposal.state!
  if (state === 'open' && !change_ids.length) return null
  return (
    <Note kind={state === 'accepted' ? 'good' : 'plain'}>
      <p>
        {WORDS[state]}
        {decided_by !== null && (
          <>
            {' '}
            by <Name of={nameOf(decided_by)} />
          </>
        )}
        {decided_at !== null && `, ${sayMoment(decided_at)}`}.
      </p>
      {reason !== null && (
        <p>
          Reason: <Name of={reason} />
        </p>
      )}
      {change_ids.map((change_id, i) => (
        <p key={change_id}>
          <Link href={`/history/${change_id}`}>
            {change_ids.length > 1 ? `Change ${i + 1} that it made` : 'The change that it made'}
          </Link>
        </p>
      ))}
    </Note>
  )
}
