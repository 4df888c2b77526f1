import type { Problem } from '#src/domain/errors.ts'
import type { FieldType, FlatField } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { bindValuePath, isMulti, type ValuePath } from '#src/filter/meaning/value-path.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { pathValues } from '#src/storage/items/path-values.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

/** What a field becomes where a path leads over a MultiReference to such values. */
const SEVERAL: Partial<Record<FieldType, FieldType>> = { Reference: 'MultiReference', Select: 'MultiSelect' }

/** `{"from": "Task.project->Project.team"}` (additions §12). */
export const isSource = (value: unknown): value is { from: string } =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  typeof (value as { from?: unknown }).from === 'string'

/** Values of a bulk update that are taken from elsewhere, for each item its own. */
export class ValueSources {
  readonly fields: ReadonlySet<string>
  private readonly paths: ReadonlyMap<string, ValuePath>
  private readonly tag: StoredTag
  private readonly kept = new Map<string, Map<number, unknown>>()

  private constructor(tag: StoredTag, fields: ReadonlySet<string>, paths: ReadonlyMap<string, ValuePath>) {
    this.tag = tag
    this.fields = fields
    this.paths = paths
  }

  static async bind(
    context: SqlContext,
    tag: StoredTag,
    given: FieldValues,
  ): Promise<{ sources: ValueSources; problems: Problem[] }> {
    const paths = new Map<string, ValuePath>()
    const fields = new Set<string>()
    const problems: Problem[] = []
    for (const [name, value] of Object.entries(given)) {
      const field = tag.schema.get(name)
      if (!field || !isSource(value)) continue
      fields.add(name)
      const at = `field_values.${name}.from`
      const path = await bindValuePath(value.from, at, tagCatalog(context), { left: true })
      if ('message' in path) problems.push(path)
      else {
        paths.set(name, path)
        const message = disagreement(field, path)
        if (message !== undefined) problems.push({ path: at, message })
      }
    }
    return { sources: new ValueSources(tag, fields, paths), problems }
  }

  /** What is read from the tag that the call changes is read before it changes anything. */
  async prepare(db: Db, items: readonly number[]): Promise<void> {
    for (const [name, path] of this.paths) {
      const places = [...path.hops, ...(path.kind === 'field' ? [path.field] : [])]
      if (places.some((place) => place.tag === this.tag.id))
        this.kept.set(name, await pathValues(db, path, items))
    }
  }

  /** By field, for each of the items (row ids). */
  async load(db: Db, items: readonly number[]): Promise<(item: number) => FieldValues> {
    const found = new Map<string, ReadonlyMap<number, unknown>>()
    for (const [name, path] of this.paths)
      found.set(name, this.kept.get(name) ?? (await pathValues(db, path, items)))
    return (item) =>
      Object.fromEntries(
        [...found].map(([name, values]) => [name, this.asField(name, values.get(item) ?? null)]),
      )
  }

  /** Over a MultiReference each value once, and the name of a variant for its Select. */
  private asField(name: string, value: unknown): unknown {
    const path = this.paths.get(name)!
    if (!Array.isArray(value) || !isMulti(path)) return value
    // The empty array is a value; where no item that is reached has one, there is none.
    const found = path.hops.some(({ type }) => type === 'MultiReference') ? value : [value]
    const values = found.filter((each) => each !== null)
    if (!values.length) return null
    const names = values.flat().map((each) => (each as { variant?: string }).variant ?? each)
    return [...new Set(names)]
  }
}

function disagreement({ type }: FlatField, path: ValuePath): string | undefined {
  const end = path.kind === 'name' ? 'String' : path.field.type
  const several = path.hops.some((hop) => hop.type === 'MultiReference')
  const given = several ? (SEVERAL[end] ?? (end.startsWith('Multi') ? end : undefined)) : end
  if (given === type) return undefined
  return several && given === undefined
    ? `leads to several ${end} values, and the field is a ${type}`
    : `leads to a ${given ?? end}, and the field is a ${type}`
}
