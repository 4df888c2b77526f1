import {
  type FieldSchema,
  type FlatFields,
  type SelectVariant,
  variantName,
} from '#src/domain/field-schema.ts'
import { chosenVariant, valueOf } from '#src/domain/field-values.ts'
import { type CellRow, valuesOf } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { HUES, hueIndex } from '#web/rules/hues.ts'

/** How a variant is distinguished from others of its field. */
export interface VariantLook {
  name: string
  /** Of the palette, where one is given. */
  hue: number | null
  /** Whoever has it is done with. */
  closed: boolean
  /** Where it is among those that are not closed; -1: it is closed, or none of the field's any more. */
  position: number
  /** How many are not closed. */
  count: number
}

/** The variants of a Select or MultiSelect as they look, in order; none of other types. */
export function variantLooks(schema: FieldSchema): VariantLook[] {
  const variants: readonly SelectVariant[] =
    typeof schema === 'object' && 'variants' in schema ? schema.variants : []
  const open = variants.filter((each) => !isClosed(each))
  return variants.map((variant) => ({
    name: variantName(variant),
    hue: typeof variant === 'object' && variant.hue !== undefined ? hueIndex(variant.hue) : null,
    closed: isClosed(variant),
    position: open.indexOf(variant),
    count: open.length,
  }))
}

/** Also of a name that the field has no more. */
export const lookOfVariant = (schema: FieldSchema, name: string): VariantLook =>
  variantLooks(schema).find((look) => look.name === name) ?? {
    name,
    hue: null,
    closed: false,
    position: -1,
    count: 0,
  }

const isClosed = (variant: SelectVariant): boolean => typeof variant === 'object' && variant.closed === true

/** Neighbours among the variants of a MultiSelect differ; null: without a colour. */
const IN_TURN: readonly (number | null)[] = [
  null,
  ...(['Teal', 'Amber', 'Violet', 'Red', 'Green'] as const).map((name) => HUES.indexOf(name)),
]

/** The colour of a pill: its own, else by its position, else by the length of its name. */
export function pillHue({ name, hue }: VariantLook, position: number): number | null {
  if (hue !== null) return hue
  return IN_TURN[(position < 0 ? name.length : position) % IN_TURN.length]!
}

/** Whether an item can be done with by one of the fields, and is not yet. */
export function isStillOpen(
  fields: FlatFields,
  values: Readonly<Record<string, unknown>> | undefined,
): boolean {
  if (!values) return false
  const closing = [...fields.values()].filter(
    ({ type, schema }) => type === 'Select' && variantLooks(schema).some(({ closed }) => closed),
  )
  const isClosedBy = ({ name, schema }: (typeof closing)[number]) =>
    lookOfVariant(schema, chosenVariant(valueOf(values, name)) ?? '').closed
  return closing.length > 0 && !closing.some(isClosedBy)
}

/** The same where it matters: at a date. */
export const isOpenAt = (column: Column, row: CellRow): boolean =>
  column.kind === 'field' &&
  (column.field.type === 'Date' || column.field.type === 'DateTime') &&
  isStillOpen(column.fields, valuesOf(column, row))
