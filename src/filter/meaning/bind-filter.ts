import { KNOWN_TAGS } from '#src/domain/message-words.ts'
import { isReference } from '#src/domain/field-schema.ts'
import { nearest } from '#src/domain/nearest.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { BoundFilter, BoundLeaf, FieldReference } from '#src/filter/meaning/bound-filter.ts'
import { type FilterFault, MAX_SUGGESTIONS } from '#src/filter/language/filter-fault.ts'
import type { FieldTest, FilterTree, LeafTree } from '#src/filter/language/filter-tree.ts'
import { type ChangedTime, firstMillisecond } from '#src/filter/language/changed-form.ts'
import { absoluteOperand } from '#src/filter/language/relative-time.ts'
import { COLUMN_TYPES, type SubjectType } from '#src/filter/language/subject.ts'
import { boundField, fieldsAbove } from '#src/filter/meaning/bound-field.ts'
import type { CatalogTag, TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

const ULID_LENGTH = 26

/** `filter` lacks what is faulty; it is undefined where nothing is left. */
export interface Bound {
  filter: BoundFilter | undefined
  /** Row ids of the items that tests of ids and References name. */
  rowIds: ReadonlyMap<Ulid, number>
  faults: FilterFault[]
}

/** Resolves a filter's names: tags, fields, referenced items. */
export async function bindFilter(tree: FilterTree, catalog: TagCatalog): Promise<Bound> {
  const binder = new FilterBinder(catalog)
  const filter = await binder.filter(tree)
  const ids = [...binder.itemIds]
  return { filter, rowIds: ids.length ? await catalog.itemRowIds(ids) : new Map(), faults: binder.faults }
}

/**
 * The field that `Tag.field` names, for what else is said in the filter's notation (sort keys).
 * @returns the fault where it is malformed or the tag unknown; `field` undefined where the schema has none of that name
 */
export async function bindFieldReference(
  reference: string,
  path: string,
  catalog: TagCatalog,
): Promise<FieldReference | FilterFault> {
  const binder = new FilterBinder(catalog)
  return (await binder.reference(reference, reference, path)) ?? binder.faults[0]!
}

class FilterBinder {
  readonly faults: FilterFault[] = []
  readonly itemIds = new Set<Ulid>()
  private readonly tags = new Map<string, CatalogTag | undefined>()
  /** By row id of a tag. */
  private readonly above = new Map<number, ReadonlyMap<string, string>>()
  private readonly catalog: TagCatalog

  constructor(catalog: TagCatalog) {
    this.catalog = catalog
  }

  async filter(tree: FilterTree): Promise<BoundFilter | undefined> {
    switch (tree.kind) {
      case 'and':
      case 'or': {
        const children: BoundFilter[] = []
        for (const each of tree.children) {
          const child = await this.filter(each)
          if (child) children.push(child)
        }
        return { kind: tree.kind, children }
      }
      case 'not': {
        const child = await this.filter(tree.child)
        return child && { kind: 'not', child }
      }
      case 'search':
      case 'changed':
      case 'has_tag':
      case 'column':
      case 'field':
      case 'hop':
      case 'reverse':
        return this.leaf(tree)
    }
  }

  private async leaf(tree: LeafTree): Promise<BoundLeaf | undefined> {
    switch (tree.kind) {
      case 'search':
        return tree.in?.includes('values') ? { ...tree, fields: await this.catalog.textFields() } : tree
      case 'changed':
        return this.changed(tree)
      case 'column':
        if (tree.column === 'id') this.noteItemIds(tree.test)
        return { ...tree, test: this.atRequest(tree.test, COLUMN_TYPES[tree.column]) }
      case 'has_tag': {
        const { exact } = tree
        if (tree.tag === null) return { kind: 'has_tag', tag: null, exact, tags: [] }
        const tag = await this.tag(tree.tag)
        if (!tag) return this.unknownTag(tree.tag, tree.path)
        return { kind: 'has_tag', tag, exact, tags: exact ? [tag.id] : await this.catalog.extending(tag) }
      }
      case 'field': {
        const reference = await this.reference(tree.reference, tree.key, tree.path)
        if (!reference) return undefined
        if (isReference(reference.field?.type)) this.noteItemIds(tree.test)
        const test = reference.field ? this.atRequest(tree.test, reference.field.type) : tree.test
        return { kind: 'field', reference, test, path: tree.path }
      }
      case 'hop':
        return this.hop(tree)
      case 'reverse':
        return this.reverse(tree)
    }
  }

  private async hop(tree: Extract<LeafTree, { kind: 'hop' }>): Promise<BoundLeaf | undefined> {
    const reference = await this.reference(tree.reference, tree.key, tree.path)
    const target = await this.leaf(tree.target)
    if (!reference) return undefined
    const { tag, name, field } = reference
    if (field && isReference(field.type))
      return target && { kind: 'hop', reference: { tag, name, field }, target }
    return this.notAReference("'->' must follow", tree.reference, reference, tree.path)
  }

  private async reverse(tree: Extract<LeafTree, { kind: 'reverse' }>): Promise<BoundLeaf | undefined> {
    const reference = await this.reference(tree.reference, tree.key, tree.path)
    const filter = tree.filter && (await this.filter(tree.filter))
    if (!reference) return undefined
    const { tag, name, field } = reference
    if (!field || !isReference(field.type))
      return this.notAReference("'<-' takes", tree.reference, reference, tree.path)
    return { kind: 'reverse', reference: { tag, name, field }, filter, count: tree.count }
  }

  /** `key` is the whole key that the reference is part of. */
  async reference(reference: string, key: string, path: string): Promise<FieldReference | undefined> {
    const dot = reference.lastIndexOf('.')
    const [left, name] = [reference.slice(0, dot), reference.slice(dot + 1)]
    if (dot <= 0 || !name) return this.fault(path, `Invalid dot-notation: '${key}'`)
    const tag = await this.tag(left)
    if (!tag)
      return left.includes('.')
        ? this.fault(path, `Invalid dot-notation: '${key}'`, await this.shorter(left, name))
        : this.unknownTag(left, path)
    const field = tag.fields.get(name)
    if (field) return { tag, name, field: boundField(tag, field) }
    return { tag, name, field: undefined, above: (await this.fieldsAbove(tag)).get(name) }
  }

  private async fieldsAbove(tag: CatalogTag): Promise<ReadonlyMap<string, string>> {
    const known = this.above.get(tag.id) ?? (await fieldsAbove(tag, this.catalog))
    this.above.set(tag.id, known)
    return known
  }

  /** Fields of variants stand right behind their tag: what leads to them through Select and variant is too long. */
  private async shorter(left: string, name: string): Promise<string | undefined> {
    for (let dot = left.lastIndexOf('.'); this.suggests && dot > 0; dot = left.lastIndexOf('.', dot - 1)) {
      const tag = await this.tag(left.slice(0, dot))
      if (tag?.fields.has(name)) return `Did you mean '${left.slice(0, dot)}.${name}'?`
    }
    return undefined
  }

  /** An id wins over a tag that is named like one. */
  private async tag(idOrName: string): Promise<CatalogTag | undefined> {
    if (this.tags.has(idOrName)) return this.tags.get(idOrName)
    const tag_id = idOrName.length === ULID_LENGTH ? parseUlid(idOrName) : null
    const tag =
      (tag_id === null ? undefined : await this.catalog.byId(tag_id)) ?? (await this.catalog.byName(idOrName))
    this.tags.set(idOrName, tag)
    return tag
  }

  private atRequest(test: FieldTest, type: SubjectType): FieldTest {
    return { ...test, operand: absoluteOperand(test.operand, type, this.catalog.time) }
  }

  private changed({ between, path }: Extract<LeafTree, { kind: 'changed' }>): BoundLeaf | undefined {
    const [from, before] = between.map((time: ChangedTime) =>
      firstMillisecond(absoluteOperand(time, 'Time', this.catalog.time) as string),
    ) as [number, number]
    if (from <= before) return { kind: 'changed', between, from, before }
    return this.fault(path, `'changed_between' requires a first time that is not after the second`)
  }

  private noteItemIds({ operand }: FieldTest): void {
    for (const each of Array.isArray(operand) ? operand : [operand]) {
      const item_id = typeof each === 'string' ? parseUlid(each) : null
      if (item_id !== null) this.itemIds.add(item_id)
    }
  }

  private async unknownTag(tag: string, path: string): Promise<undefined> {
    const message = `Tag '${tag}' not found`
    if (!this.suggests) return this.fault(path, message)
    const meant = nearest(tag, await this.catalog.names())
    return this.fault(path, message, meant === undefined ? KNOWN_TAGS : `Did you mean '${meant}'?`)
  }

  private notAReference(
    rule: string,
    written: string,
    { tag, field, name, above }: FieldReference,
    path: string,
  ): undefined {
    const references = [...tag.fields.values()].filter(({ type }) => isReference(type))
    const meant =
      nearest(
        name,
        references.map((each) => each.name),
      ) ?? references[0]?.name
    return this.fault(
      path,
      field
        ? `${rule} a Reference field, and '${written}' is a ${field.type}`
        : `${rule} a Reference field, and '${tag.name}' has no field '${name}'`,
      above || meant ? `Did you mean '${above ?? `${tag.name}.${meant}`}'?` : undefined,
    )
  }

  private get suggests(): boolean {
    return this.faults.length < MAX_SUGGESTIONS
  }

  private fault(path: string, message: string, suggestion?: string): undefined {
    this.faults.push({ path, message, ...(suggestion && { suggestion }) })
    return undefined
  }
}
