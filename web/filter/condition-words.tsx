import { Icon } from '#web/parts/icon.tsx'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { VariantSign } from '#web/parts/variant-sign.tsx'
import { fieldsOf } from '#web/rules/filter-fields.ts'
import type { VariantLook } from '#web/rules/variant-look.ts'
import { goneIn, GoneWords } from '#web/filter/gone-words.tsx'
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
  if (words === null) {
    const gone = goneIn(condition, tags)
    return (
      <span className={css.faulty}>
        <Icon name="alert" size={14} />
        {gone ? <GoneWords {...gone} /> : <code>{JSON.stringify(condition)}</code>}
      </span>
    )
  }
  const looks = looksIn(condition, tags)
  return (
    <>
      {looks.length > 0 && (
        <span className={css.signs}>
          {looks.map((look) => (
            <VariantSign key={look.name} look={look} />
          ))}
        </span>
      )}
      <Words text={own ? words.replaceAll(`${own}.`, '') : words} />
    </>
  )
}

/** More say less than none. */
const MOST = 4

/** How the variants of a Select look that a condition names: by these it is known before it is read. */
function looksIn(condition: Filter, tags: readonly FilterTag[]): readonly VariantLook[] {
  const [[key, test] = [''], ...others] = Object.entries(condition)
  if (others.length) return []
  const field = tags.flatMap(fieldsOf).find((each) => each.key === key)
  if (field?.type !== 'Select') return []
  const { eq, in: some } = (test ?? {}) as { eq?: unknown; in?: unknown }
  const named = typeof test === 'string' ? [test] : Array.isArray(some) ? some : [eq]
  const looks = field.looks.filter(({ name }) => named.includes(name))
  return looks.length > MOST ? [] : looks
}
