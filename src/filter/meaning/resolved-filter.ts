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
    case 'has_tag':
    case 'column':
    case 'field':
    case 'hop': {
      const [key, value] = resolvedEntry(filter)
      return { [key]: value }
    }
  }
}

function resolvedEntry(leaf: BoundLeaf): [key: string, value: unknown] {
  switch (leaf.kind) {
    case 'search':
      return ['search', leaf.text]
    case 'has_tag':
      return ['has_tag', leaf.tag.tag_id]
    case 'column':
      return [leaf.column, leaf.test.given]
    case 'field':
      return [keyOf(leaf.reference), leaf.test.given]
    case 'hop': {
      const [key, value] = resolvedEntry(leaf.target)
      return [`${keyOf(leaf.reference)}->${key}`, value]
    }
  }
}

const keyOf = ({ tag, name }: FieldReference): string => `${tag.tag_id}.${name}`
