import { MAX_NAME } from '#src/domain/names.ts'
import { isDate, toDateTime } from '#src/domain/date-time.ts'
import { isReference, type SubFieldParent } from '#src/domain/field-schema.ts'
import { chosenVariant, type FieldValues } from '#src/domain/field-values.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { BoundFilter, BoundLeaf, FieldReference } from '#src/filter/meaning/bound-filter.ts'
import type { FieldTest } from '#src/filter/language/filter-tree.ts'
import { otherSpelling } from '#src/filter/language/moment.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import type { CatalogTag } from '#src/filter/meaning/tag-catalog.ts'

/** What a new item needs to satisfy a filter, as far as the filter says it: the form of `POST /api/items`. */
export interface FilterDefaults {
  name?: string
  tags: { tag_ref: { Existing: Ulid }; field_values: FieldValues }[]
}

/**
 * What the positive conditions say that a new item is. Negations are ignored; of an `or` the first branch counts that
 * says a value; a condition that leaves the value open still says the tag.
 * @param live which of these ids are of items that a reference may point to
 */
export async function defaultsOf(
  filter: BoundFilter,
  live: (item_ids: readonly Ulid[]) => Promise<ReadonlySet<Ulid>>,
): Promise<FilterDefaults> {
  const ids = [...referenced(filter)]
  const draft = draftOf(filter, ids.length ? await live(ids) : new Set())
  const tags = [...draft.tags.values()].map(({ tag, values }) => ({
    tag_ref: { Existing: tag.tag_id },
    field_values: Object.fromEntries(withSubFields(tag, values)),
  }))
  return { ...(draft.name !== undefined && { name: draft.name }), tags }
}

/** `says`: a name, tag or value is in it that a condition asks for outright. */
interface Draft {
  name?: string
  tags: Map<number, TagDraft>
  says: boolean
}
interface TagDraft {
  tag: CatalogTag
  values: Map<string, unknown>
}

function draftOf(filter: BoundFilter, live: ReadonlySet<Ulid>): Draft {
  switch (filter.kind) {
    case 'and':
      return filter.children.map((each) => draftOf(each, live)).reduce(merge, nothing())
    case 'or': {
      const branches = filter.children.map((each) => draftOf(each, live))
      return branches.find(({ says }) => says) ?? branches.find(({ tags }) => tags.size) ?? nothing()
    }
    case 'not':
      return nothing()
    case 'search':
    case 'changed':
    case 'has_tag':
    case 'column':
    case 'field':
    case 'hop':
    case 'reverse':
      return leafDraft(filter, live)
  }
}

const nothing = (): Draft => ({ tags: new Map(), says: false })

const tagged = (tag: CatalogTag, says: boolean, values: [string, unknown][] = []): Draft => ({
  tags: new Map([[tag.id, { tag, values: new Map(values) }]]),
  says,
})

/** What comes first stays; elements of a field of several values are gathered. */
function merge(left: Draft, right: Draft): Draft {
  for (const [id, { tag, values }] of right.tags) {
    const known = left.tags.get(id)
    if (!known) left.tags.set(id, { tag, values })
    else
      for (const [name, value] of values) {
        const old = known.values.get(name)
        if (Array.isArray(old) && Array.isArray(value))
          known.values.set(name, [...new Set([...old, ...value])])
        else if (old === undefined) known.values.set(name, value)
      }
  }
  const name = left.name ?? right.name
  return { ...(name !== undefined && { name }), tags: left.tags, says: left.says || right.says }
}

function leafDraft(leaf: BoundLeaf, live: ReadonlySet<Ulid>): Draft {
  switch (leaf.kind) {
    case 'search':
    case 'changed':
      return nothing()
    case 'has_tag':
      return leaf.tag ? tagged(leaf.tag, true) : nothing()
    case 'reverse':
      return nothing()
    case 'column': {
      const name = leaf.column === 'name' ? asked(leaf.test).find(isName) : undefined
      return name !== undefined ? { ...nothing(), name, says: true } : nothing()
    }
    case 'field':
      return fieldDraft(leaf.reference, leaf.test, live)
    case 'hop':
      return tagged(leaf.reference.tag, false)
  }
}

function fieldDraft({ tag, field }: FieldReference, test: FieldTest, live: ReadonlySet<Ulid>): Draft {
  if (!field || saysAbsent(test)) return nothing()
  for (const operand of asked(test)) {
    const value = storable(field, operand, live)
    if (value !== undefined) return tagged(tag, true, [[field.name, value]])
  }
  return tagged(tag, false)
}

/** The operands of which the value is to be one. */
function asked({ operator, operand }: FieldTest): readonly unknown[] {
  if (operator === 'eq' || operator === 'match') return [operand]
  return operator === 'in' ? (operand as unknown[]) : []
}

const saysAbsent = ({ operator, operand }: FieldTest): boolean =>
  operator === 'neq' ||
  (operator === 'eq' && operand === null) ||
  (operator === 'exists' && operand === false) ||
  (operator === 'is_null' && operand === true)

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && Array.from(value).length <= MAX_NAME

/** The operand as a value that the field takes; undefined where it takes none such. */
function storable(field: BoundField, operand: unknown, live: ReadonlySet<Ulid>): unknown {
  switch (field.type) {
    case 'String':
      return typeof operand === 'string' ? operand : undefined
    case 'Number':
      return typeof operand === 'number' ? operand : undefined
    case 'Boolean':
      return typeof operand === 'boolean' ? operand : undefined
    case 'Date': {
      const spellings = typeof operand === 'string' ? [operand, otherSpelling(operand)] : []
      return spellings.find(isDate)
    }
    case 'DateTime':
      return toDateTime(operand) ?? (isDate(operand) ? `${operand}T00:00:00.000Z` : undefined)
    case 'MultiReference': {
      const given: unknown[] = Array.isArray(operand) ? operand : [operand]
      const ids = given.map((each) => (typeof each === 'string' ? parseUlid(each) : null))
      return ids.every((each) => each !== null && live.has(each)) ? [...new Set(ids)] : undefined
    }
    case 'Reference': {
      const item_id = typeof operand === 'string' ? parseUlid(operand) : null
      return item_id !== null && live.has(item_id) ? item_id : undefined
    }
    case 'File':
      return undefined
    case 'Select': {
      const variant = chosenVariant(operand) ?? operand
      return typeof variant === 'string' && field.variants.includes(variant) ? { variant } : undefined
    }
    case 'MultiSelect': {
      const names: unknown[] = Array.isArray(operand) ? operand : [operand]
      const known = names.every((each) => typeof each === 'string' && field.variants.includes(each))
      return known ? [...new Set(names)] : undefined
    }
  }
}

/** A sub-field needs its Select to be at one of its variants: a Select without a value is put there, another wins. */
function withSubFields({ fields }: CatalogTag, values: Map<string, unknown>): Map<string, unknown> {
  const complete = new Map(values)
  const active = ({ field, variants }: SubFieldParent): boolean => {
    const chosen = chosenVariant(complete.get(field))
    return chosen !== null && variants.includes(chosen) && fits(field)
  }
  const fits = (name: string): boolean => {
    const parents = fields.get(name)?.parents
    if (!parents || parents.some(active)) return true
    const open = parents.find(({ field }) => !complete.has(field))
    if (!open) return false
    complete.set(open.field, { variant: open.variants[0] })
    return fits(open.field)
  }
  for (const name of values.keys()) if (!fits(name)) complete.delete(name)
  return complete
}

function* referenced(filter: BoundFilter): Generator<Ulid> {
  if (filter.kind === 'and' || filter.kind === 'or')
    for (const each of filter.children) yield* referenced(each)
  if (filter.kind !== 'field' || !isReference(filter.reference.field?.type)) return
  for (const operand of asked(filter.test).flat()) {
    const item_id = typeof operand === 'string' ? parseUlid(operand) : null
    if (item_id !== null) yield item_id
  }
}
