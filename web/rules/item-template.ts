import type { Filter } from '#web/rules/filter-edits.ts'
import { tagsAskedFor } from '#web/rules/column.ts'

/** What a view stores that is a template of items; its filter says the tags and values. */
export interface ItemTemplate {
  description?: string
}

/** What an item is made of, as GET gives it. */
type ItemData = Readonly<Record<string, { field_values: Readonly<Record<string, unknown>> }>>

/** How many days after today the value of a field is; undefined where it is no date, or stays as it is. */
export type DayOf = (tag_id: string, field: string, value: string) => number | undefined

export function readTemplate(settings: Readonly<Record<string, unknown>>): ItemTemplate | null {
  const { template } = settings
  if (typeof template !== 'object' || template === null) return null
  const { description } = template as ItemTemplate
  return typeof description === 'string' ? { description } : {}
}

export const isTemplate = ({ settings }: { settings: Readonly<Record<string, unknown>> }): boolean =>
  readTemplate(settings) !== null

/** Whether it begins items of the tag; a view stores tags by their ids. */
export const isTemplateOf = (
  view: { filter: Filter; settings: Readonly<Record<string, unknown>> },
  tag_id: string,
): boolean => isTemplate(view) && tagsAskedFor(view.filter).includes(tag_id)

/**
 * The filter that asks for just these tags and values, so that what it fills in is what the item has. Files are left
 * out: no condition names one.
 * @param dayOf of a date that counts from the day of use
 * @returns null for an item without tags
 */
export function templateFilter(data: ItemData, dayOf: DayOf = () => undefined): Filter | null {
  const conditions = Object.entries(data).flatMap(([tag_id, { field_values }]): Filter[] => [
    { has_tag: tag_id },
    ...Object.entries(field_values).flatMap(([field, value]) => {
      const days = typeof value === 'string' ? dayOf(tag_id, field, value) : undefined
      const operand = days === undefined ? operandOf(value) : { today: days }
      return operand === undefined ? [] : [{ [`${tag_id}.${field}`]: { eq: operand } }]
    }),
  ])
  return conditions.length ? { and: conditions } : null
}

function operandOf(value: unknown): unknown {
  if (value === null || (Array.isArray(value) && !value.length)) return undefined
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value : undefined
  if (typeof value !== 'object') return value
  const { variant } = value as { variant?: unknown }
  return typeof variant === 'string' ? variant : undefined
}
