import { isDate } from '#src/domain/date-time.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'
import { bindFilter } from '#src/filter/meaning/bind-filter.ts'
import { checkFilter } from '#src/filter/meaning/read-filter.ts'
import type { FilterFault } from '#src/filter/language/filter-fault.ts'
import { parseFilter } from '#src/filter/language/parse-filter.ts'
import { quote } from '#src/filter/language/operator-words.ts'
import { filterWords, type SayOf } from '#src/filter/words/filter-words.ts'
import { fieldsOf } from '#web/rules/filter-fields.ts'
import { isTimely } from '#web/rules/condition.ts'
import { sayDate, sayMoment } from '#web/rules/say-time.ts'
import { sayFigure } from '#web/rules/shown-value.ts'
import { type FilterTag, tagCatalog } from '#web/rules/tag-catalog.ts'
import { sayNumber, thisLocale } from '#web/rules/typed-number.ts'

export type { FilterFault }

/** What a filter says, as the service reports it. */
export interface FilterMeaning {
  /** In English; undefined where it has faults. */
  words: string | undefined
  faults: readonly FilterFault[]
  warnings: readonly string[]
}

export async function filterMeaning(filter: unknown, tags: readonly FilterTag[]): Promise<FilterMeaning> {
  const { faults, warnings, filter: bound } = await checkFilter(filter, tagCatalog(tags))
  return { words: bound && filterWords(bound, saidAsShown(tags)), faults, warnings }
}

/** A part of a filter in English, even where other parts are faulty; undefined where it has a fault itself. */
export async function partWords(part: unknown, tags: readonly FilterTag[]): Promise<string | undefined> {
  const { tree, faults } = parseFilter(part)
  if (!tree || faults.length) return undefined
  const bound = await bindFilter(tree, tagCatalog(tags))
  return bound.filter && !bound.faults.length ? filterWords(bound.filter, saidAsShown(tags)) : undefined
}

/** Numbers, days and moments as their cells show them, nothing of them left out: `€ 12.5`, `25%`, `1 Mar 2026`. */
function saidAsShown(tags: readonly FilterTag[]): SayOf {
  const locale = thisLocale()
  return (type, reference) => {
    if (isTimely(type)) return sayTime
    if (type !== 'Number' || !reference) return undefined
    const { tag, field } = reference
    const own = tags.find(({ tag_id }) => tag_id === tag.tag_id)
    const schema = own && fieldsOf(own).find(({ name }) => name === field?.name)?.schema
    return (value) =>
      schema && typeof value === 'number'
        ? sayFigure(schema, value, (each) => sayNumber(each, locale))
        : quote(value)
  }
}

/** What is finer than cells show it, or no whole date, is said as it is written. */
function sayTime(value: unknown): string {
  if (typeof value !== 'string') return quote(value)
  if (isDate(value)) return sayDate(value)
  const time = parseIsoTime(value)
  return time && WHOLE_MINUTE.test(value) && time.floor % 60_000 === 0 ? sayMoment(value) : quote(value)
}

/** With its zone, else it is of the one that the filter is asked in. */
const WHOLE_MINUTE = /T.*(?:Z|[+-]\d\d:?\d\d)$/
