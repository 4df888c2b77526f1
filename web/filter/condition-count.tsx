import { useQuery } from '@tanstack/react-query'
import { both, explainedQuery } from '#web/data/counts-query.ts'
import { orNothing, readCondition, subjectKind } from '#web/rules/condition.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { useMeaning } from '#web/filter/use-meaning.ts'
import css from '#web/filter/filter-bar.module.css'

interface ConditionCountProps {
  base: Filter | null
  condition: Filter
  tags: readonly FilterTag[]
  onChange: (condition: Filter) => void
}

/** How many a condition matches by itself, and how many it leaves out because they have no value. */
export function ConditionCount({ base, condition, tags, onChange }: ConditionCountProps) {
  const isSound = useMeaning(condition, tags)?.faults.length === 0
  const { data } = useQuery({ ...explainedQuery(both(base, condition)!), enabled: isSound })
  if (!data) return <span className={css.count}> </span>
  const field = fieldOf(condition, tags)
  return (
    <span className={css.count}>
      {data.matched.toLocaleString()} by itself
      {field && data.leftOut > 0 && (
        <>
          {' · '}
          {data.leftOut.toLocaleString()} {data.leftOut === 1 ? 'has' : 'have'} no {field.name} and{' '}
          {data.leftOut === 1 ? 'is' : 'are'} left out{' '}
          <button
            type="button"
            className={css.include}
            onClick={() => onChange(orNothing(condition, field.key))}
          >
            Include them
          </button>
        </>
      )}
    </span>
  )
}

/** The field that a plain condition compares: what has no value in it can be let in. */
function fieldOf(condition: Filter, tags: readonly FilterTag[]) {
  const read = readCondition(condition)
  if (!read || read.hops.length) return undefined
  const about = subjectKind(read.subject, tags)
  return about.kind === 'value' ? about.field : undefined
}
