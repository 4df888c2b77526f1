import { PERCENT } from '#src/domain/amount-text.ts'
import { didYouMean } from '#src/domain/message-words.ts'
import { MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { foldHeading, ownField } from '#src/domain/column-heading.ts'
import {
  type FieldMap,
  type FieldSchema,
  type FieldType,
  flattenFields,
  isMany,
  isReference,
  variantsOf,
} from '#src/domain/field-schema.ts'
import { fieldName, type Look, type LookedColumn, type LookedTable } from '#src/imports/look/look.ts'
import type { ColumnTarget, FieldTarget, TableTarget } from '#src/imports/rows/targets.ts'
import { type ColumnWish, type PlannedTag, type TableWish } from '#src/operations/imports/import-plan.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

/** Variants of a field that takes what the file has. */
const MOST_VARIANTS = 1000

type FieldWish = Extract<ColumnWish, { field: string }>

interface Known {
  planned: readonly PlannedTable[]
  look: Look
  tagIdOf(name: string): Promise<string | undefined>
}

/** One table of an import, while it is settled where its columns go. */
export class PlannedTable {
  readonly target: TableTarget
  readonly planned: PlannedTag
  readonly table: LookedTable
  private readonly wish: TableWish
  private readonly at: string
  /** The one that is there; undefined: a new one is made, or none. */
  readonly tag: StoredTag | undefined
  private readonly problems: Problem[]
  private readonly fields: Record<string, FieldSchema>
  /** Fields that a new tag has as the one had that it is made like; whose items references mean is settled here. */
  private readonly like: ReadonlySet<string>

  constructor(
    given: {
      table: LookedTable
      wish: TableWish
      at: string
      tag: StoredTag | undefined
      new_name: string | null
    },
    problems: Problem[],
  ) {
    const { table, wish, at, tag, new_name } = given
    this.table = table
    this.wish = wish
    this.at = at
    this.tag = tag
    this.problems = problems
    const said = wish.tag && 'new' in wish.tag ? wish.tag.new.fields : undefined
    const like = tag || said ? undefined : table.tag
    const asked = said ?? withoutOf(like?.fields ?? {})
    this.like = new Set(Object.keys(like?.fields ?? {}))
    this.fields = { ...((tag ? JSON.parse(tag.fields) : asked) as Record<string, FieldSchema>) }
    this.target = {
      table: table.name,
      clear: wish.clear ?? false,
      columns: [],
      ...(wish.key !== undefined && { key: wish.key }),
      ...(table.columns.some(({ to }) => to === 'item_id') && { has_own_texts: true }),
    }
    const name = tag?.name ?? new_name
    this.planned = name === null ? null : plannedTag({ tag, name, fields: this.fields, like })
  }

  async settle(known: Known, variants: ReadonlyMap<string, string[]>): Promise<void> {
    const { columns: wishes = {} } = this.wish
    const names = this.table.columns.map(({ name }) => name)
    for (const column of Object.keys(wishes)) {
      if (this.problems.length > MAX_PROBLEMS) return
      if (!names.includes(column))
        this.fault(`columns.${column}`, `there is no such column; ${didYouMean(column, names)}`)
    }
    const said = new Set(Object.values(wishes).filter((each) => typeof each === 'string'))
    for (const column of this.table.columns) {
      const isSaid = Object.hasOwn(wishes, column.name)
      const wish = isSaid ? wishes[column.name]! : this.usual(column, said)
      if (wish === null) continue
      if (typeof wish === 'string') this.take(column.name, wish)
      else await this.takeField(column, wish, isSaid, known, variants.get(column.name))
    }
    this.checkKey()
    const isNamed = this.target.columns.some(({ to }) => to === 'name')
    if (!isNamed && this.target.key === undefined)
      this.fault('columns', 'no column is the name of the items: let one go to "name"')
  }

  /** Where the look said that a column goes, if nothing else is to go there. */
  private usual({ name, to }: LookedColumn, said: ReadonlySet<unknown>): ColumnWish {
    // A key that is called so means ids, whatever is in it, unless the tag has such a field.
    if (name === 'item_id' && this.wish.key === name && !this.fieldNamed(name, true).type) return name
    // What our exports say besides is no field, unless the tag has one of that name.
    if (to === null) return this.planned && this.fieldNamed(name, true).type ? { field: name } : null
    if (typeof to !== 'string') return this.planned ? { field: this.ownField(name) ?? to.field } : null
    if (to === 'item_id' && this.wish.key !== name) return null
    if (!said.has(to)) return to
    return this.planned && to !== 'item_id' ? { field: fieldName(name) } : null
  }

  /** The field that a heading of an export of this tag names, unless another column means it. */
  private ownField(heading: string): string | null {
    const field = ownField(heading, this.planned!)
    if (field === null || this.isTaken(field)) return null
    const { columns: wishes = {} } = this.wish
    const isOthers = this.table.columns.some(({ name, to }) => {
      if (name === heading) return false
      const goes = Object.hasOwn(wishes, name) ? wishes[name]! : to
      return goes !== null && typeof goes === 'object' && goes.field === field
    })
    return isOthers ? null : field
  }

  private take(column: string, to: Exclude<ColumnTarget['to'], FieldTarget>): void {
    if (this.target.columns.some((each) => each.to === to))
      return this.fault(`columns.${column}`, `two columns cannot both be the ${to}`)
    this.target.columns.push({ column, to })
  }

  private async takeField(
    column: LookedColumn,
    wish: FieldWish,
    isSaid: boolean,
    known: Known,
    found: string[] | undefined,
  ): Promise<void> {
    const path = `columns.${column.name}`
    if (!this.planned) return this.fault(path, 'items without a tag have no fields')
    let field = this.fieldNamed(wish.field, isSaid)
    // Spelled almost alike (`n`, `N`): who said nothing has two fields, as the look showed them.
    if (!isSaid && this.isTaken(field.name)) field = this.fieldNamed(wish.field, true)
    if (wish.type && field.type && field.type !== wish.type && this.like.has(field.name)) {
      delete this.fields[field.name]
      field = { name: field.name }
    }
    if (this.isTaken(field.name))
      return this.fault(path, `two columns cannot both be the field '${field.name}'`)
    const type = wish.type ?? field.type ?? column.type
    if (field.type && field.type !== type)
      return this.fault(`${path}.type`, `the field '${field.name}' is a ${field.type}`)
    const target: FieldTarget = {
      field: field.name,
      type,
      make: wish.make ?? false,
      of_tables: [],
      of_tags: [],
      ...(wish.format ? { format: wish.format } : column.format && { format: column.format }),
      ...(type === 'Number' && unitOf(field.schema ?? { type, ...column.hints }, column)),
    }
    await this.takeSchema(column, wish, target, field.schema, known, found)
    this.target.columns.push({ column: column.name, to: target })
  }

  private isTaken(field: string): boolean {
    return this.target.columns.some(({ to }) => typeof to === 'object' && to.field === field)
  }

  /** A field of the tag; what is not said may be spelled otherwise. */
  private fieldNamed(
    name: string,
    isSaid: boolean,
  ): { name: string; type?: FieldType; schema?: FieldSchema } {
    const flat = flattenFields(this.fields)
    const inherited = this.tag?.schema
    const meant = (each: string) => (isSaid ? each === name : foldHeading(each) === foldHeading(name))
    const found =
      flat.get(name) ??
      inherited?.get(name) ??
      [...flat.values(), ...(inherited?.values() ?? [])].find((each) => meant(each.name))
    return found ? { name: found.name, type: found.type, schema: found.schema } : { name }
  }

  private async takeSchema(
    column: LookedColumn,
    wish: FieldWish,
    target: FieldTarget,
    schema: FieldSchema | undefined,
    known: Known,
    found: string[] | undefined,
  ): Promise<void> {
    const { type, field } = target
    if (isReference(type)) await this.takeOf(column, wish, target, schema, known)
    if (type === 'Select' || type === 'MultiSelect') this.takeVariants(column, wish, target, schema, found)
    else if (isReference(type) && target.of_tags.length && this.isSettledHere(field, schema))
      this.add(field, { ...(typeof schema === 'object' && schema), type, of: target.of_tags })
    else if (!schema) this.add(field, type === 'Number' && column.hints ? { type, ...column.hints } : type)
    if (!schema) this.planned!.makes.fields.push(field)
  }

  /** Whose items a reference means: of a tag that is there that stands. */
  private isSettledHere(field: string, schema: FieldSchema | undefined): boolean {
    return !schema || this.like.has(field)
  }

  private takeVariants(
    column: LookedColumn,
    wish: FieldWish,
    target: FieldTarget,
    schema: FieldSchema | undefined,
    found: string[] | undefined,
  ): void {
    const type = target.type as 'Select'
    const have = schema
      ? variantsOf(schema)
      : (wish.variants ?? (wish.type || !column.variants?.length ? undefined : column.variants))
    const folded = new Set(have?.map((each) => each.toLowerCase()))
    const others = (found ?? []).filter((each) => !folded.has(each.toLowerCase()))
    if (have && !target.make) target.variants = have
    else if (found) target.variants = [...(have ?? []), ...others]
    // Until it is known what the file has there is nothing to go by.
    else {
      if (have) target.variants = have
      return
    }
    if (target.variants.length > MOST_VARIANTS)
      return this.fault(
        `columns.${column.name}`,
        `has more than ${MOST_VARIANTS} different values: too many for a ${type}`,
      )
    if (!schema) this.add(target.field, { type, variants: target.variants })
    else if (target.make && others.length) {
      const own = this.fields[target.field]
      if (typeof own !== 'object' || !('variants' in own))
        return this.fault(
          `columns.${column.name}.make`,
          `the variants of '${target.field}' are not the tag's own: add them there`,
        )
      this.add(target.field, { ...own, variants: [...own.variants, ...others] } as FieldSchema)
      this.planned!.makes.variants[target.field] = others
    }
  }

  private add(field: string, schema: FieldSchema): void {
    this.fields[field] = schema
    this.planned!.isChanged = true
  }

  /** Names of tables of the import, of which one that is not imported is nothing, and of tags. */
  private async takeOf(
    column: LookedColumn,
    wish: FieldWish,
    target: FieldTarget,
    schema: FieldSchema | undefined,
    known: Known,
  ): Promise<void> {
    const own = typeof schema === 'object' && 'of' in schema ? (schema.of ?? []) : undefined
    const isOpen = this.isSettledHere(target.field, schema)
    const names = isOpen ? (wish.of ?? (wish.type ? [] : (column.of ?? []))) : (own ?? [])
    for (const name of names) {
      const t = known.planned.findIndex(({ table, planned }) => table.name === name || planned?.name === name)
      const tag_id = t < 0 ? await known.tagIdOf(name) : known.planned[t]!.planned?.tag_id
      if (t >= 0) target.of_tables.push(t)
      if (tag_id) target.of_tags.push(tag_id)
      if (tag_id && t < 0 && isOpen && name.toUpperCase() !== tag_id)
        target.of_names = { ...target.of_names, [tag_id]: name }
      if (t < 0 && !tag_id && wish.of)
        this.fault(`columns.${column.name}.of`, `there is neither a table nor a tag '${name}'`)
    }
    for (const [t, { planned }] of known.planned.entries())
      if (planned?.tag_id && target.of_tags.includes(planned.tag_id) && !target.of_tables.includes(t))
        target.of_tables.push(t)
    const open = target.of_tables.filter((t) => !known.planned[t]!.planned?.tag_id)
    if (isOpen && open.length) this.planned!.of_tables[target.field] = open
  }

  private checkKey(): void {
    const { key, columns } = this.target
    if (key === undefined) return
    const names = this.table.columns.map(({ name }) => name)
    const to = columns.find(({ column }) => column === key)?.to
    if (!names.includes(key)) this.fault('key', `there is no such column; ${didYouMean(key, names)}`)
    else if (to === undefined) this.fault('key', `the column '${key}' is not imported`)
    else if (to === 'description') this.fault('key', 'items are not met by their description')
    else if (typeof to === 'object' && (isMany(to.type) || isReference(to.type)))
      this.fault('key', `items are not met by a ${to.type}`)
  }

  private fault(path: string, message: string): void {
    this.problems.push({ path: `${this.at}.${path}`, message })
  }
}

/** The tag of a table: one that is there, or a new one, which may be made like one of the file. */
const plannedTag = ({
  tag,
  name,
  fields,
  like,
}: {
  tag: StoredTag | undefined
  name: string
  fields: Record<string, FieldSchema>
  like: LookedTable['tag']
}): NonNullable<PlannedTag> => ({
  tag_id: tag?.tag_id ?? null,
  name,
  fields,
  isChanged: !tag,
  makes: { fields: [], variants: {} },
  of_tables: {},
  ...(like && {
    description: like.description ?? null,
    extends: [...(like.extends ?? [])],
    look: like.look ?? null,
  }),
})

/** What cells may have beside a number: what its field says, else the currency that they all have. */
function unitOf(schema: FieldSchema, { hints }: LookedColumn): { unit?: string } {
  const said = typeof schema === 'object' && schema.type === 'Number' ? schema : undefined
  if (said?.format === 'percent') return { unit: PERCENT }
  const unit = said?.unit ?? (hints && 'unit' in hints ? hints.unit : undefined)
  return unit === undefined ? {} : { unit: unit.trim() }
}

/** References in them mean any item. */
function withoutOf(fields: FieldMap): FieldMap {
  const plain = (schema: FieldSchema): FieldSchema => {
    if (typeof schema === 'string') return schema
    if ('of' in schema) {
      const { of: _, ...rest } = schema
      return rest
    }
    if (schema.type !== 'Select') return schema
    const variants = schema.variants.map((variant) =>
      typeof variant === 'object' && variant.fields
        ? { ...variant, fields: withoutOf(variant.fields) }
        : variant,
    )
    return { ...schema, variants }
  }
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, plain(schema)]))
}
