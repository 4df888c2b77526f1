import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import type { PathChange } from '#web/data/changes-query.ts'
import type { Proposal, ProposedChange } from '#web/data/proposals-query.ts'
import { Name } from '#web/parts/name.tsx'
import { say } from '#web/parts/live-region.tsx'
import { Note } from '#web/parts/note.tsx'
import { idOfChange } from '#web/proposal/use-decide.ts'
import css from '#web/proposal/proposal-view.module.css'

const MOST = 50

/** A person knows the item that is gone by nothing; its id is for programs. */
const ID = /^The item '[0-7][0-9A-HJKMNP-TV-Z]{25}', ((?:in)?to which .*?),/

interface ProposalConflictsProps {
  conflicts: Proposal['conflicts']
  /** Parts of the proposal: what was purged is named there. */
  changes: readonly ProposedChange[]
  renderChange: (change: PathChange) => ReactNode
}

/** What has moved since it was proposed: what is there now, and what the proposal wants there. */
export function ProposalConflicts({ conflicts, changes, renderChange }: ProposalConflictsProps) {
  const more = conflicts.length - MOST
  const { length } = conflicts
  useEffect(() => say(`${length.toLocaleString()} ${length === 1 ? 'conflict' : 'conflicts'}`), [length])
  const nameThen = (id: string | null) => changes.find((each) => idOfChange(each) === id)?.name
  return (
    <Note kind="warn">
      <p>
        {conflicts.length === 1
          ? 'One thing has moved since, and stays open:'
          : `${conflicts.length.toLocaleString()} things have moved since, and stay open:`}
      </p>
      <ul className={css.conflicts} aria-label="What has moved since">
        {conflicts
          .slice(0, MOST)
          .map(({ item_id, tag_id, item_name, path, reason, present, restored }, i) => (
            // oxlint-disable-next-line react/no-array-index-key -- in their order, and none has an id
            <li key={i}>
              {item_id !== null ? (
                <Link href={`/items/${item_id}`}>
                  <Name of={item_name ?? nameThen(item_id) ?? 'an item that is gone'} />
                </Link>
              ) : (
                tag_id !== null && (
                  <Link href={`/tags/${tag_id}/schema`}>
                    <Name of={nameThen(tag_id) ?? 'A tag'} />
                  </Link>
                )
              )}
              : {reason.replace(ID, 'The item $1')}
              {path !== null && renderChange({ path, old: present, new: restored })}
            </li>
          ))}
      </ul>
      {more > 0 && <p>and {more.toLocaleString()} more</p>}
    </Note>
  )
}
