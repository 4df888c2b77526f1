import { useItemName } from '#web/data/item-names.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Pill } from '#web/parts/pill.tsx'
import { TagPill } from '#web/parts/tag-pill.tsx'
import { VariantSign } from '#web/parts/variant-sign.tsx'
import { chosenOf, variantNames } from '#web/rules/cell-value.ts'
import type { Column, FieldColumn } from '#web/rules/column.ts'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import { sayNumber } from '#web/rules/shown-value.ts'
import { lookOfVariant, type VariantLook } from '#web/rules/variant-look.ts'
import { TextView, TimeView } from '#web/table/field-text.tsx'
import { FileView } from '#web/table/file-view.tsx'
import css from '#web/table/cell-view.module.css'

export interface CellViewProps {
  column: Column
  value: unknown
  /** The item is not done with: what is past is late. */
  isOpen?: boolean
  /** It lies in a button, and opens nothing by itself. */
  inButton?: boolean
}

/** A value as it is read. */
export function CellView({ column, value, isOpen = false, inButton = false }: CellViewProps) {
  if (value === null || value === undefined || value === '') return null
  if (column.kind === 'field')
    return <FieldView column={column} value={value} isOpen={isOpen} inButton={inButton} />
  if (column.kind === 'tags')
    return (
      <span className={css.list}>
        {(value as string[]).map((name) => (
          <TagPill key={name} name={name} />
        ))}
      </span>
    )
  if (column.kind === 'name') return <span className={css.name}>{value as string}</span>
  return (
    <time className={css.dim} dateTime={value as string} title={sayMoment(value as string)}>
      {sayShort(value as string)}
    </time>
  )
}

type FieldViewProps = Required<Omit<CellViewProps, 'column'>> & { column: FieldColumn }

function FieldView({ column, value, isOpen, inButton }: FieldViewProps) {
  switch (column.field.type) {
    case 'Number':
      return (
        <span className={css.number}>
          {typeof value === 'number' ? sayNumber(column.field.schema, value) : String(value)}
        </span>
      )
    case 'Boolean':
      return <BooleanView value={value} />
    case 'Date':
    case 'DateTime':
      return <TimeView column={column} value={String(value)} isOpen={isOpen} />
    case 'Select':
      return <SelectView look={lookOfVariant(column.field.schema, chosenOf(column, value).name)} />
    case 'MultiSelect':
      return (
        <span className={css.list}>
          {asList(value).map((name) => (
            <Pill
              key={name}
              look={lookOfVariant(column.field.schema, name)}
              position={variantNames(column).indexOf(name)}
            />
          ))}
        </span>
      )
    case 'Reference':
      return <ReferenceView item_id={String(value)} />
    case 'MultiReference':
      return (
        <span className={css.list}>
          {asList(value).map((id) => (
            <ReferenceView key={id} item_id={id} />
          ))}
        </span>
      )
    case 'File':
      return <FileView value={value} />
    case 'String':
      return <TextView column={column} text={String(value)} inButton={inButton} />
  }
}

/** What was typed and refused may be of any form. */
const asList = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)])

function BooleanView({ value }: { value: unknown }) {
  if (typeof value !== 'boolean') return <span>{String(value)}</span>
  return (
    <span className={value ? css.yes : css.no} role="img" aria-label={value ? 'yes' : 'no'}>
      {value ? <Icon name="check" /> : '–'}
    </span>
  )
}

function SelectView({ look }: { look: VariantLook }) {
  return (
    <span className={`${css.select} ${look.closed ? css.closed : ''}`}>
      <VariantSign look={look} />
      <span>{look.name}</span>
    </span>
  )
}

/** The name of the item; one that is gone is struck through. */
export function ReferenceView({ item_id }: { item_id: string }) {
  const name = useItemName(item_id)
  if (name === undefined) return <span className={css.waiting} />
  if (name === null)
    return (
      <s className={css.gone} title={item_id}>
        deleted item
      </s>
    )
  return <span className={css.reference}>{name}</span>
}
