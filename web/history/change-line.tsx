import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Change } from '#web/data/changes-query.ts'
import { meQuery } from '#web/data/me-query.ts'
import { DoneLine } from '#web/parts/done-line.tsx'
import { doerWords, isAgent } from '#web/rules/change-words.ts'
import { Name } from '#web/parts/name.tsx'

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
  const sign = isAgent(change) ? 'By an agent' : undefined
  return (
    <DoneLine
      icon={change.undoes.length ? 'undo' : isAgent(change) ? 'bot' : 'user'}
      sign={sign}
      what={words}
      href={`/history/${change.change_id}`}
      who={<Name of={doerWords(change, me)} />}
      at={change.created_at}
      {...(change.undone_by !== null && { also: 'undone', isUndone: true })}
      more={more}
    >
      {children}
    </DoneLine>
  )
}
