import type { SearchForm } from '#src/filter/language/search-form.ts'
import type { CountTest } from '#src/filter/language/reverse-form.ts'
import type { BoundFilter, BoundLeaf, FieldReference } from '#src/filter/meaning/bound-filter.ts'

/** The filter as JSON with tag ids in place of names, so that it goes on working when tags are renamed: what views keep. */
export function resolvedFilter(filter: BoundFilter): Record<string, unknown> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { [filter.kind]: filter.children.map(resolvedFilter) }
    case 'not':
      return { not: resolvedFilter(filter.child) }
    case 'search':
    case 'changed':
    case 'has_tag':
    case 'column':
    case 'field':
    case 'reverse':
    case 'hop': {
      const [key, value] = resolvedEntry(filter)
      return { [key]: value }
    }
  }
}

function resolvedEntry(leaf: BoundLeaf): [key: string, value: unknown] {
  switch (leaf.kind) {
    case 'search':
      return ['search', searchForm(leaf)]
    case 'has_tag':
      if (!leaf.tag) return ['has_tag', null]
      return ['has_tag', leaf.exact ? { id: leaf.tag.tag_id, exact: true } : leaf.tag.tag_id]
    case 'changed':
      return ['changed_between', [...leaf.between]]
    case 'column':
      return [leaf.column, leaf.test.given]
    case 'field':
      return [keyOf(leaf.reference), leaf.test.given]
    case 'hop': {
      const [key, value] = resolvedEntry(leaf.target)
      return [`${keyOf(leaf.reference)}->${key}`, value]
    }
    case 'reverse': {
      const { reference, filter, count } = leaf
      const resolved = filter && resolvedFilter(filter)
      const isBare = resolved && !count
      return [
        `<-${keyOf(reference)}`,
        isBare ? resolved : { ...(resolved && { filter: resolved }), ...countForm(count) },
      ]
    }
  }
}

const searchForm = ({ text, in: places, match }: SearchForm) =>
  places || match ? { text, ...(places && { in: [...places] }), ...(match && { match }) } : text

const countForm = (count: CountTest | undefined) => count && { count: { [count.comparison]: count.count } }

const keyOf = ({ tag, name }: FieldReference): string => `${tag.tag_id}.${name}`
