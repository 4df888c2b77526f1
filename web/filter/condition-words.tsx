import { Icon } from '#web/parts/icon.tsx'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { useWords } from '#web/filter/use-meaning.ts'
import { Words } from '#web/filter/words.tsx'
import css from '#web/filter/condition-words.module.css'

interface ConditionWordsProps {
  condition: Filter
  tags: readonly FilterTag[]
  /** The one tag of the table: its name is not said again. */
  own?: string | undefined
}

/** A condition as a clause; one that cannot be read as it was written. */
export function ConditionWords({ condition, tags, own }: ConditionWordsProps) {
  const words = useWords(condition, tags)
  if (words === undefined) return <span>{Object.keys(condition)[0]}</span>
  if (words === null)
    return (
      <span className={css.faulty}>
        <Icon name="alert" size={14} />
        <code>{JSON.stringify(condition)}</code>
      </span>
    )
  return <Words text={own ? words.replaceAll(`${own}.`, '') : words} />
}
