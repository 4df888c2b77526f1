import type { Ref } from 'react'
import { useFaultWords } from '#web/data/gone-tag.ts'
import { GoneFieldLine } from '#web/filter/gone-field-line.tsx'
import { GoneVariantLine } from '#web/filter/gone-variant-line.tsx'
import type { useMeaning } from '#web/filter/use-meaning.ts'
import { Words } from '#web/filter/words.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { Icon } from '#web/parts/icon.tsx'
import type { Filter } from '#web/rules/filter-edits.ts'
import { goneFields } from '#web/rules/gone-fields.ts'
import { goneVariants, isWarningOf } from '#web/rules/gone-variants.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import css from '#web/filter/filter-bar.module.css'

interface FilterSaysProps {
  place: Ref<HTMLDivElement>
  filter: Filter
  onFilter: (filter: Filter | null) => void
  tags: readonly FilterTag[]
  /** It is asked of an earlier moment, whose fields count. */
  isPast: boolean
  inWords: boolean
  meaning: ReturnType<typeof useMeaning>
  warnings: readonly string[]
}

/** Faults that are named: an address may hold hundreds. */
const MOST_FAULTS = 5

/** The filter in English, and what is to be minded. */
export function FilterSays({
  place,
  meaning,
  warnings,
  inWords,
  isPast,
  filter,
  onFilter,
  tags,
}: FilterSaysProps) {
  const gone = isPast ? [] : goneFields(filter, tags).slice(0, MOST_FAULTS)
  const variants = isPast ? [] : goneVariants(filter, tags).slice(0, MOST_FAULTS)
  // What is said of a field or a variant with its way out is not said again.
  const isSaid = (words: string) =>
    gone.some(({ tag, name }) => words.includes(`'${tag.name}' has no field '${name}'`)) ||
    variants.some((variant) => isWarningOf(variant, words))
  const faults = (meaning?.faults ?? []).filter(({ message }) => !isSaid(message))
  const words = useFaultWords(faults)
  const remarks = [...new Set([...(meaning?.warnings ?? []), ...warnings])].filter((each) => !isSaid(each))
  return (
    <div ref={place} tabIndex={-1} className={css.says}>
      {faults.slice(0, MOST_FAULTS).map(({ path, message }, i) => (
        <FaultLine key={`${path} ${message}`}>{words[i]}</FaultLine>
      ))}
      {faults.length > MOST_FAULTS && (
        <p className={css.fault}>
          and {(faults.length - MOST_FAULTS).toLocaleString()} more{' '}
          {faults.length - MOST_FAULTS === 1 ? 'fault' : 'faults'}
        </p>
      )}
      {gone.map((each) => (
        <GoneFieldLine key={each.key} gone={each} filter={filter} onFilter={onFilter} />
      ))}
      {variants.map((each) => (
        <GoneVariantLine
          key={`${each.field.key} ${each.name}`}
          gone={each}
          filter={filter}
          onFilter={onFilter}
          tags={tags}
        />
      ))}
      {inWords && meaning?.words && (
        <p className={css.words}>
          <span className={css.what}>In words: </span>
          <Words text={meaning.words} />
        </p>
      )}
      {remarks.map((remark) => (
        <p key={remark} className={css.warning}>
          <Icon name="alert" size={14} />
          <span>{remark}</span>
        </p>
      ))}
    </div>
  )
}
