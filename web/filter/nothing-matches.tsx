import { useQueries } from '@tanstack/react-query'
import { both, countQuery } from '#web/data/counts-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { Button } from '#web/parts/button.tsx'
import { chipsOf, type Filter, removeAt } from '#web/rules/filter-edits.ts'
import { searchFor } from '#web/rules/search-text.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { ConditionWords } from '#web/filter/condition-words.tsx'
import css from '#web/filter/filter-bar.module.css'

/** More conditions than these are not tried one by one. */
const MOST = 20

interface NothingMatchesProps {
  base: Filter | null
  filter: Filter | null
  text: string
  onFilter: (filter: Filter | null) => void
  onText: (text: string) => void
}

interface Without {
  key: string
  /** The condition that is left out; null: the text. */
  condition: Filter | null
  remaining: Filter | null
  take: () => void
}

/** Where nothing matches: the condition without which most would, and the way to leave it out. */
export function NothingMatches(props: NothingMatchesProps) {
  const tags = useTags() ?? NONE
  const tries = triesOf(props)
  const counts = useQueries({ queries: tries.map(({ remaining }) => countQuery(remaining)) })
  const found = counts.flatMap(({ data }, i) => (data ? [{ count: data, ...tries[i]! }] : []))
  const most = found.toSorted((a, b) => b.count - a.count)[0]
  const isDone = counts.every(({ isPending }) => !isPending)
  return (
    <>
      {most ? (
        <p className={css.says}>
          Without{' '}
          {most.condition ? <Quoted condition={most.condition} tags={tags} /> : `“${shortened(props.text)}”`}{' '}
          {most.count === 1 ? 'one item would' : `${most.count.toLocaleString()} items would`} match.{' '}
        </p>
      ) : (
        isDone && tries.length > 1 && <p>No single condition is to blame: several exclude everything.</p>
      )}
      {most && tries.length > 1 && (
        <Button kind="primary" onClick={most.take}>
          Leave it out
        </Button>
      )}
    </>
  )
}

const NONE: readonly FilterTag[] = []

/** Characters of a searched text that are quoted. */
const MOST_QUOTED = 60

const shortened = (text: string): string =>
  text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text

function Quoted(props: { condition: Filter; tags: readonly FilterTag[] }) {
  return (
    <strong>
      <ConditionWords {...props} />
    </strong>
  )
}

function triesOf({ base, filter, text, onFilter, onText }: NothingMatchesProps): Without[] {
  const search = searchFor(text)
  const chips = chipsOf(filter).slice(0, MOST)
  const without = chips.map(({ path, filter: condition }): Without => {
    const rest = removeAt(filter!, path)
    return {
      key: JSON.stringify(path),
      condition,
      remaining: both(both(base, rest), search),
      take: () => onFilter(rest),
    }
  })
  if (!search) return without
  return [...without, { key: 'text', condition: null, remaining: both(base, filter), take: () => onText('') }]
}
