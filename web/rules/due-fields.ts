import { flattenFields, type FieldMap } from '#src/domain/field-schema.ts'
import type { ColumnTag } from '#web/rules/column.ts'
import { lookOfField } from '#web/rules/shown-value.ts'
import { variantLooks } from '#web/rules/variant-look.ts'

/** A field whose dates somebody waits for. */
export interface DueField {
  tag_id: string
  name: string
  /** `<tag id>.<field>`. */
  key: string
  /** Selects of the tag by which an item is done with, and the variants that say so. */
  closing: readonly { key: string; variants: readonly string[] }[]
}

/** Days that are looked ahead. */
export const DAYS_AHEAD = 7
/** Each costs a search. */
const MOST = 8
const SAYS_SO =
  /(?:^|[^\p{L}])(?:due|deadline|until|expir\p{L}*|renew\p{L}*|remind\p{L}*|fällig\p{L}*|frist|échéance|vence\p{L}*|scadenza)(?:$|[^\p{L}])/iu

/**
 * Dates that are shown relative to now, or whose name says that something is due by them. A birthday or a day of
 * completion is no such date.
 */
export function dueFields(tags: readonly ColumnTag[]): DueField[] {
  return tags
    .flatMap(({ tag_id, fields }) => {
      const all = [...flattenFields(fields as FieldMap).values()]
      const closing = all
        .filter(({ type, parents }) => type === 'Select' && !parents)
        .map(({ name, schema }) => ({
          key: `${tag_id}.${name}`,
          variants: variantLooks(schema)
            .filter(({ closed }) => closed)
            .map((look) => look.name),
        }))
        .filter(({ variants }) => variants.length)
      return all
        .filter(({ type, parents }) => (type === 'Date' || type === 'DateTime') && !parents)
        .filter(({ name, schema }) => lookOfField(schema).relative || SAYS_SO.test(name.replaceAll('_', ' ')))
        .map(({ name }) => ({ tag_id, name, key: `${tag_id}.${name}`, closing }))
    })
    .slice(0, MOST)
}

/** What is due within a week; what is late too, where an item can be done with and is not. */
export function dueFilter({ key, closing }: DueField): Record<string, unknown> {
  const until = { [key]: { lt: { today: DAYS_AHEAD + 1 } } }
  const open = closing.map((each) => ({ not: { [each.key]: { in: each.variants } } }))
  return { and: open.length ? [until, ...open] : [{ [key]: { gte: { today: 0 } } }, until] }
}
