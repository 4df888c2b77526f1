import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Change } from '#web/data/changes-query.ts'
import { meQuery } from '#web/data/me-query.ts'
import { Icon } from '#web/parts/icon.tsx'
import { doerWords, isAgent } from '#web/rules/change-words.ts'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import { Name } from '#web/parts/name.tsx'
import css from '#web/history/change-line.module.css'

interface ChangeLineProps {
  change: Change
  /** Of several changes in one line: what they did. */
  words?: string
  /** Under the line. */
  more?: ReactNode
  children?: ReactNode
}

/** A change in its sentence: what, who, when. */
export function ChangeLine({ change, words = change.summary, more, children }: ChangeLineProps) {
  const me = useQuery(meQuery).data?.user_id
  return (
    <li className={css.line} data-undone={change.undone_by !== null || undefined}>
      <span className={css.sign} title={isAgent(change) ? 'By an agent' : undefined}>
        <Icon name={change.undoes.length ? 'undo' : isAgent(change) ? 'bot' : 'user'} />
      </span>
      <div className={css.what}>
        <Link href={`/history/${change.change_id}`} className={css.summary}>
          <Name of={words} />
        </Link>
        <p className={css.who}>
          <Name of={doerWords(change, me)} /> ·{' '}
          <time dateTime={change.created_at} title={sayMoment(change.created_at)}>
            {sayShort(change.created_at)}
          </time>
          {change.undone_by !== null && ' · undone'}
        </p>
        {more}
      </div>
      {children}
    </li>
  )
}
