import { type Conversion, CONVERSIONS, conversionFault, convertSource } from '#src/domain/convert-source.ts'
import type { Problem } from '#src/domain/errors.ts'
import { type FieldType, type FlatField, isMany, isReference } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { fileIdOf } from '#src/domain/file-values.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { bindValuePath, isMulti, type ValuePath } from '#src/filter/meaning/value-path.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { pathValues } from '#src/storage/items/path-values.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'
import { liveTargets } from '#src/storage/value-index/reference-targets.ts'

/** What a field becomes where a path leads over a MultiReference to such values. */
const SEVERAL: Partial<Record<FieldType, FieldType>> = { Reference: 'MultiReference', Select: 'MultiSelect' }

const MAX_PATHS = 20
const TYPE_AS: Record<Conversion, FieldType> = { number: 'Number', text: 'String', date: 'Date' }

/** `{"from": "Task.project->Project.team"}` (additions §12), or several paths, with `else` and `as` (further §18). */
interface Source {
  paths: readonly ValuePath[]
  /** Where no path leads to a value. */
  otherwise: unknown
  as: Conversion | undefined
}

const isSource = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && Object.hasOwn(value, 'from')

/** What an item gets, and what of it cannot be. */
export interface Sourced {
  values: FieldValues
  problems: Problem[]
}

/** Values of a bulk update that are taken from elsewhere, for each item its own. */
export class ValueSources {
  readonly fields: ReadonlySet<string>
  private readonly sources: ReadonlyMap<string, Source>
  private readonly tag: StoredTag
  private readonly time_zone: string
  private readonly kept = new Map<ValuePath, Map<number, unknown>>()

  private constructor(
    { time_zone }: SqlContext,
    tag: StoredTag,
    fields: ReadonlySet<string>,
    sources: ReadonlyMap<string, Source>,
  ) {
    this.time_zone = time_zone
    this.tag = tag
    this.fields = fields
    this.sources = sources
  }

  static async bind(
    context: SqlContext,
    tag: StoredTag,
    given: FieldValues,
  ): Promise<{ sources: ValueSources; problems: Problem[] }> {
    const bound = new Map<string, Source>()
    const fields = new Set<string>()
    const problems: Problem[] = []
    for (const [name, value] of Object.entries(given)) {
      const field = tag.schema.get(name)
      if (!field || !isSource(value)) continue
      fields.add(name)
      const { source, faults } = await bindSource(context, field, value)
      problems.push(...faults)
      bound.set(name, source)
    }
    return { sources: new ValueSources(context, tag, fields, bound), problems }
  }

  /** What is read from the tag that the call changes is read before it changes anything. */
  async prepare(db: Db, items: readonly number[]): Promise<void> {
    for (const path of this.paths()) {
      const places = [...path.hops, ...(path.kind === 'field' ? [path.field] : [])]
      if (places.some((place) => place.tag === this.tag.id))
        this.kept.set(path, await pathValues(db, path, items))
    }
  }

  private paths(): ValuePath[] {
    return [...this.sources.values()].flatMap(({ paths }) => paths)
  }

  /** For each of the items (row ids). */
  async load(db: Db, items: readonly number[]): Promise<(item: number) => Sourced> {
    const found = new Map<ValuePath, ReadonlyMap<number, unknown>>()
    const referred = new Set<Ulid>()
    for (const path of this.paths()) {
      const values = this.kept.get(path) ?? (await pathValues(db, path, items))
      found.set(path, values)
      if (path.kind === 'field' && isReference(path.field.type))
        for (const item of items) for (const id of idsAt(values.get(item))) referred.add(id)
    }
    const living = await liveTargets(db, referred)
    return (item) => {
      const values: Record<string, unknown> = {}
      const problems: Problem[] = []
      for (const [name, source] of this.sources) {
        const taken = this.take(source, (path) => withoutDeleted(path, found.get(path)!.get(item), living))
        if ('message' in taken) problems.push({ path: `field_values.${name}`, message: taken.message })
        else values[name] = taken.value
      }
      return { values, problems }
    }
  }

  /** The first value that a path leads to. */
  private take(
    { paths, otherwise, as }: Source,
    valueAt: (path: ValuePath) => unknown,
  ): { value: unknown } | { message: string } {
    for (const path of paths) {
      const value = asField(path, valueAt(path) ?? null)
      if (value === null) continue
      if (!as) return { value }
      const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
      const converted = convertSource(single, as, this.time_zone)
      return converted === undefined ? { message: conversionFault(value, as) } : { value: converted }
    }
    return { value: otherwise }
  }
}

async function bindSource(
  context: SqlContext,
  field: FlatField,
  given: Record<string, unknown>,
): Promise<{ source: Source; faults: Problem[] }> {
  const at = `field_values.${field.name}`
  const faults: Problem[] = []
  const { from, else: otherwise = null, as, ...others } = given
  for (const key of Object.keys(others))
    faults.push({ path: `${at}.${key}`, message: 'unknown; a source has from, else and as' })
  if (as !== undefined && !CONVERSIONS.includes(as as Conversion))
    faults.push({ path: `${at}.as`, message: `must be one of ${CONVERSIONS.join(', ')}` })
  const texts: unknown[] = Array.isArray(from) ? from : [from]
  if (!texts.length || texts.length > MAX_PATHS || !texts.every((each) => typeof each === 'string')) {
    faults.push({ path: `${at}.from`, message: `expected a path, or 1–${MAX_PATHS} of them` })
    return { source: { paths: [], otherwise, as: undefined }, faults }
  }
  const paths: ValuePath[] = []
  const conversion = CONVERSIONS.find((each) => each === as)
  for (const [i, text] of texts.entries()) {
    const place = Array.isArray(from) ? `${at}.from[${i}]` : `${at}.from`
    const path = await bindValuePath(text, place, tagCatalog(context), { left: true })
    if ('message' in path) faults.push(path)
    else {
      paths.push(path)
      const message = conversion ? unlike(field, TYPE_AS[conversion]) : disagreement(field, path)
      if (message !== undefined) faults.push({ path: place, message })
    }
  }
  return { source: { paths, otherwise, as: conversion }, faults }
}

const idsAt = (value: unknown): Ulid[] =>
  [value].flat(Infinity).flatMap((each) => (typeof each === 'string' ? (parseUlid(each) ?? []) : []))

/** A reference to an item that is deleted is no value; several are those that live. */
function withoutDeleted(path: ValuePath, value: unknown, living: ReadonlySet<Ulid>): unknown {
  if (path.kind !== 'field' || !isReference(path.field.type)) return value
  const lives = (id: unknown) => idsAt(id).every((each) => living.has(each))
  if (!Array.isArray(value)) return lives(value) ? value : null
  const left = value
    .map((each: unknown) => (Array.isArray(each) ? each.filter(lives) : each))
    .filter((each) => Array.isArray(each) || lives(each))
  return value.length && !left.length ? null : left
}

/** Over a MultiReference each value once, and the name of a variant for its Select. */
function asField(path: ValuePath, value: unknown): unknown {
  if (!Array.isArray(value) || !isMulti(path)) return value
  // The empty array is a value; where no item that is reached has one, there is none.
  const found = path.hops.some(({ type }) => type === 'MultiReference') ? value : [value]
  const values = found.filter((each) => each !== null)
  if (!values.length) return null
  const names = values.flat().map((each) => (each as { variant?: string }).variant ?? each)
  return [...new Map(names.map((each) => [fileIdOf(each) ?? each, each])).values()]
}

const unlike = ({ type }: FlatField, given: FieldType): string | undefined =>
  given === type ? undefined : `becomes a ${given}, and the field is a ${type}`

function disagreement({ type }: FlatField, path: ValuePath): string | undefined {
  const end = path.kind === 'name' ? 'String' : path.field.type
  const several = path.hops.some((hop) => hop.type === 'MultiReference')
  const given = several ? (SEVERAL[end] ?? (isMany(end) ? end : undefined)) : end
  if (given === type) return undefined
  return several && given === undefined
    ? `leads to several ${end} values, and the field is a ${type}`
    : `leads to a ${given ?? end}, and the field is a ${type}`
}
