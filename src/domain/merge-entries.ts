import { CHECKS } from '#src/domain/check-value.ts'
import type { Problem } from '#src/domain/errors.ts'
import { type FlatField, type FlatFields, isMany } from '#src/domain/field-schema.ts'
import { fileIdOf, MAX_FILES } from '#src/domain/file-values.ts'
import { chosenVariant, valueOf, type FieldValues } from '#src/domain/field-values.ts'
import { sameJson } from '#src/domain/same-json.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** Elements of a list that several become. */
const MAX_UNITED = 1000

/** A tag as one of the items has it that become one. */
export interface MergeSource {
  item_id: Ulid
  schema_version: number
  values: FieldValues
}

/** What the item that stays gets from another; without `field` the tag itself, with these values. */
export interface TakenValue {
  from: Ulid
  field?: string
  value: unknown
}

export interface MergedEntry {
  schema_version: number
  values: FieldValues
  taken: TakenValue[]
  problems: Problem[]
}

/**
 * One entry out of those of several items (additions §12). `sources` are in the order in which their values count;
 * the item that stays need not be among them. Lists are united; a sub-field goes with the variant that it belongs to.
 */
export function mergeEntries(
  schema: FlatFields,
  sources: readonly MergeSource[],
  stays: Ulid,
  label: string,
): MergedEntry {
  return new EntryMerge(schema, sources, stays, label).merged()
}

interface Part {
  from: MergeSource
  value: unknown
}

class EntryMerge {
  private readonly schema: FlatFields
  private readonly sources: readonly MergeSource[]
  private readonly kept: MergeSource | undefined
  /** Whose keys and version the entry has: the item that stays, else the first that has the tag. */
  private readonly base: MergeSource
  private readonly label: string
  /** What each field gets, from one source or, of a list, from several. */
  private readonly parts = new Map<string, readonly Part[]>()

  constructor(schema: FlatFields, sources: readonly MergeSource[], stays: Ulid, label: string) {
    this.schema = schema
    this.sources = sources
    this.kept = sources.find(({ item_id }) => item_id === stays)
    this.base = this.kept ?? sources[0]!
    this.label = label
  }

  merged(): MergedEntry {
    const names = new Set([this.base, ...this.sources].flatMap(({ values }) => Object.keys(values)))
    const values = new Map<string, unknown>()
    const problems: Problem[] = []
    for (const name of names) {
      const parts = this.partsOf(name)
      if (parts.length) values.set(name, valueOfParts(parts))
      else if (Object.hasOwn(this.base.values, name) && valueOf(this.base.values, name) === null)
        values.set(name, null)
      const most = this.schema.get(name)?.type === 'File' ? MAX_FILES : MAX_UNITED
      if (parts.length > 1 && (values.get(name) as unknown[]).length > most)
        problems.push({
          path: `${this.label}.${name}`,
          message: `the lists of the items together have more than ${most} elements`,
        })
    }
    return {
      schema_version: this.version(),
      values: Object.fromEntries(values),
      taken: this.taken(names),
      problems,
    }
  }

  private partsOf(name: string): readonly Part[] {
    const known = this.parts.get(name)
    if (known) return known
    this.parts.set(name, [])
    const field = this.schema.get(name)
    const having = this.sources
      .filter((source) => valueOf(source.values, name) !== null && this.mayGive(source, field))
      .map((from) => ({ from, value: valueOf(from.values, name) }))
    const parts =
      field && isMany(field.type) && having.every(({ value }) => Array.isArray(value))
        ? this.united(having)
        : having.slice(0, 1)
    this.parts.set(name, parts)
    return parts
  }

  /** A sub-field's value counts where its item has the variant that the merged item gets. */
  private mayGive(source: MergeSource, field: FlatField | undefined): boolean {
    if (!field?.parents) return true
    const selects = field.parents.map((parent) => {
      const [part] = this.partsOf(parent.field)
      return { ...parent, part, chosen: chosenVariant(part?.value) }
    })
    // What is next to a variant that stays need not fit it.
    if (source === this.base && selects.every(({ part }) => !part || part.from === source)) return true
    return selects.some(
      ({ field: select, variants, chosen }) =>
        chosen !== null &&
        variants.includes(chosen) &&
        chosenVariant(valueOf(source.values, select)) === chosen,
    )
  }

  /** Of each list what those before it have not: that of the item that stays goes first. */
  private united(having: readonly Part[]): Part[] {
    const seen = new Set<unknown>()
    const own = having.filter(({ from }) => from === this.base)
    return [...own, ...having.filter(({ from }) => from !== this.base)].flatMap(({ from, value }, i) => {
      const fresh = (value as unknown[]).filter((each) => !seen.has(keyOf(each)))
      for (const each of fresh) seen.add(keyOf(each))
      return fresh.length || i === 0 ? [{ from, value: fresh }] : []
    })
  }

  private taken(names: ReadonlySet<string>): TakenValue[] {
    const taken: TakenValue[] = []
    const { base, kept } = this
    if (!kept) {
      const own = [...names].flatMap((name) => {
        const part = this.partsOf(name).find(({ from }) => from === base)
        return part ? [[name, part.value] as const] : []
      })
      taken.push({ from: base.item_id, value: Object.fromEntries(own) })
    }
    for (const name of names)
      for (const { from, value } of this.partsOf(name))
        if (from !== base && !sameJson(value, valueOf(base.values, name)))
          taken.push({ from: from.item_id, field: name, value })
    return taken
  }

  /** That of the entry, unless it got a value of an older one that its present schema does not fit. */
  private version(): number {
    let version = this.base.schema_version
    for (const [name, parts] of this.parts)
      for (const { from, value } of parts)
        if (from.schema_version < version && !this.fits(name, value)) version = from.schema_version
    return version
  }

  private fits(name: string, value: unknown): boolean {
    const field = this.schema.get(name)
    return field !== undefined && !CHECKS[field.type](value, field, name).length
  }
}

/** Files are distinguished by their ids. */
const keyOf = (element: unknown): unknown => fileIdOf(element) ?? element

const valueOfParts = (parts: readonly Part[]): unknown =>
  parts.length > 1 ? parts.flatMap(({ value }) => value) : parts[0]!.value
