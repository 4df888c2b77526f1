import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { PathChange } from '#web/data/changes-query.ts'
import type { Proposal, ProposedChange } from '#web/data/proposals-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { Name } from '#web/parts/name.tsx'
import { idOfChange } from '#web/proposal/use-decide.ts'
import { tagChanges } from '#web/rules/tag-changes.ts'
import css from '#web/proposal/proposal-view.module.css'

const ACTIONS: Readonly<Record<ProposedChange['action'], string>> = {
  created: 'Make',
  changed: 'Change',
  deleted: 'Delete',
  restored: 'Restore',
}

interface ProposedPartProps {
  part: ProposedChange
  made: Proposal['made']
  renderChange: (change: PathChange) => ReactNode
  /** The box before it, where a part can be chosen. */
  children?: ReactNode
}

/** What a proposal would do to one item or tag. */
export function ProposedPart({ part, made, renderChange, children }: ProposedPartProps) {
  const tags = useTags()
  const nameOf = (tag_id: string) => tags?.find((tag) => tag.tag_id === tag_id)?.name
  const changes = part.tag_id ? part.changes.flatMap((each) => tagChanges(each, nameOf)) : part.changes
  return (
    <li className={css.part}>
      <div className={css.what}>
        {children}
        <span>
          {ACTIONS[part.action]} {part.tag_id && 'the tag '}
          <PartName part={part} made={made} />
        </span>
      </div>
      {part.action !== 'deleted' &&
        changes.map((change, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- one after the other, and a path may come twice
          <div key={i}>{renderChange(change)}</div>
        ))}
    </li>
  )
}

/** What is still to be made is nowhere yet. */
function PartName({ part, made }: Pick<ProposedPartProps, 'part' | 'made'>) {
  const id = idOfChange(part)
  const there = part.action === 'created' ? made[id] : id
  if (there === undefined)
    return (
      <strong>
        <Name of={part.name} />
      </strong>
    )
  return (
    <Link href={part.tag_id ? `/tags/${there}/schema` : `/items/${there}`} className={css.link}>
      <Name of={part.name} />
    </Link>
  )
}
