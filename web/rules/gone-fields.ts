import { ARROW, REVERSE } from '#web/rules/condition.ts'
import { chipsOf, type Filter, isFilter, removeAt } from '#web/rules/filter-edits.ts'
import { fieldsOf, keyOf } from '#web/rules/filter-fields.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

/** A field that a filter asks for, and that its tag does not have. */
export interface GoneField {
  /** As the filter writes it: `Task.due`. */
  key: string
  tag: FilterTag
  name: string
}

/** In the order of the filter, each once. */
export function goneFields(filter: unknown, tags: readonly FilterTag[]): GoneField[] {
  return [...new Set(keysIn(filter))].flatMap((key) => {
    const name = key.slice(key.lastIndexOf('.') + 1)
    const tag = tagOfStep(key, tags)
    return tag && fieldsOf(tag).every((field) => field.name !== name) ? [{ key, tag, name }] : []
  })
}

/** The tag of `Task.owner`, by its name or its id. */
export function tagOfStep(step: string, tags: readonly FilterTag[]): FilterTag | undefined {
  const dot = step.lastIndexOf('.')
  if (dot < 1) return undefined
  const own = step.slice(0, dot)
  return tags.find(({ tag_id }) => tag_id === own.toUpperCase()) ?? tags.find(({ name }) => name === own)
}

/** `Task.owner` and `Person.team` of `Task.owner->Person.team`, also of what refers. */
const stepsOf = (key: string): string[] => key.split(ARROW).map((step) => step.replace(REVERSE, ''))

function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn)
  if (!isFilter(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [...stepsOf(key), ...keysIn(inner)])
}

/** The filter with another field of the tag in its place. */
export function withFieldNow(filter: Filter, { key, tag }: GoneField, name: string): Filter {
  const written = (step: string) =>
    step.replace(REVERSE, '') === key ? step.replace(key, () => keyOf(tag, name)) : step
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten)
    if (!isFilter(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([each, inner]) => [
        each.split(ARROW).map(written).join(ARROW),
        rewritten(inner),
      ]),
    )
  }
  return rewritten(filter) as Filter
}

/** The filter without the conditions that ask for the field; null: nothing is left. */
export function withoutField(filter: Filter, { key }: GoneField): Filter | null {
  const asking = chipsOf(filter).filter((chip) => keysIn(chip.filter).includes(key))
  // From the last on: the places of those before it stay.
  return asking.toReversed().reduce<Filter | null>((left, { path }) => left && removeAt(left, path), filter)
}
