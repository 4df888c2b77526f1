import { chosenVariant } from '#src/domain/field-values.ts'
import { brief } from '#src/filter/language/operator-words.ts'
import { ARROW, REVERSE } from '#web/rules/condition.ts'
import { chipsOf, type Filter, isFilter, removeAt } from '#web/rules/filter-edits.ts'
import { type FilterField, fieldsOf } from '#web/rules/filter-fields.ts'
import { tagOfStep } from '#web/rules/gone-fields.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

/** A variant that a filter asks for, and that its field does not have. */
export interface GoneVariant {
  field: FilterField
  name: string
}

/** In the order of the filter, each once. */
export function goneVariants(filter: unknown, tags: readonly FilterTag[]): GoneVariant[] {
  const gone = new Map<string, GoneVariant>()
  withNames(filter, tags, (field, name) => {
    if (!field.variants.includes(name)) gone.set(`${field.tag.tag_id}.${field.name} ${name}`, { field, name })
    return name
  })
  return [...gone.values()]
}

/** Whether a warning says of it that it is not there. */
export const isWarningOf = ({ field, name }: GoneVariant, warning: string): boolean =>
  warning.includes(`${field.tag.name}.${field.name} has no variant ${brief(name)}`)

/** The filter with another variant of the field in its place. */
export const withVariantNow = (
  filter: Filter,
  { field, name }: GoneVariant,
  now: string,
  tags: readonly FilterTag[],
): Filter => withNames(filter, tags, (at, asked) => (at === field && asked === name ? now : asked)) as Filter

/** The filter without the conditions that ask for the variant; null: nothing is left. */
export function withoutVariant(
  filter: Filter,
  { field, name }: GoneVariant,
  tags: readonly FilterTag[],
): Filter | null {
  const asks = (each: Filter) =>
    goneVariants(each, tags).some((gone) => gone.field === field && gone.name === name)
  const asking = chipsOf(filter).filter((chip) => asks(chip.filter))
  // From the last on: the places of those before it stay.
  return asking.toReversed().reduce<Filter | null>((left, { path }) => left && removeAt(left, path), filter)
}

type NameOf = (field: FilterField, name: string) => string

/** The filter with every name of a variant as it is given. */
function withNames(value: unknown, tags: readonly FilterTag[], nameOf: NameOf): unknown {
  if (Array.isArray(value)) return value.map((each) => withNames(each, tags, nameOf))
  if (!isFilter(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const field = fieldAt(key, tags)
      const own = field?.variants.length ? testWith(inner, (name) => nameOf(field, name)) : undefined
      return [key, own ?? withNames(inner, tags, nameOf)]
    }),
  )
}

/** The field whose values a key compares. */
function fieldAt(key: string, tags: readonly FilterTag[]): FilterField | undefined {
  const step = key.split(ARROW).at(-1)!
  if (step.startsWith(REVERSE)) return undefined
  const name = step.slice(step.lastIndexOf('.') + 1)
  const tag = tagOfStep(step, tags)
  return tag && fieldsOf(tag).find((field) => field.name === name)
}

/** What takes the name of a variant, or a list of them. */
const OF_VARIANTS: ReadonlySet<string> = new Set(['eq', 'neq', 'match', 'in', 'gt', 'gte', 'lt', 'lte'])

/** What a field of variants is compared with: an operand by itself, or that of an operator. */
function testWith(test: unknown, nameOf: (name: string) => string): unknown {
  if (!isFilter(test) || chosenVariant(test) !== null) return operandWith(test, nameOf)
  return Object.fromEntries(
    Object.entries(test).map(([operator, operand]) => [
      operator,
      OF_VARIANTS.has(operator) ? operandWith(operand, nameOf) : operand,
    ]),
  )
}

function operandWith(operand: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(operand)) return operand.map((each) => operandWith(each, nameOf))
  const variant = chosenVariant(operand)
  if (variant !== null) return { variant: nameOf(variant) }
  return typeof operand === 'string' ? nameOf(operand) : operand
}
