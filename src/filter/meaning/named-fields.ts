import { isRecord } from '#src/domain/is-record.ts'
import type { FieldTest } from '#src/filter/language/filter-tree.ts'
import type { BoundFilter, FieldReference } from '#src/filter/meaning/bound-filter.ts'

/** The fields that a filter names, in its order, with their types; a type is empty where the tag has no such field. */
export function namedFields(filter: BoundFilter): { path: string; type: string }[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.children.flatMap(namedFields)
    case 'not':
      return namedFields(filter.child)
    case 'field':
      return [named(filter.reference)]
    case 'hop':
      return [named(filter.reference), ...namedFields(filter.target)]
    case 'reverse':
      return [named(filter.reference), ...(filter.filter ? namedFields(filter.filter) : [])]
    case 'search':
    case 'has_tag':
    case 'column':
    case 'changed':
      return []
  }
}

const named = ({ tag, name, field }: FieldReference) => ({
  path: `${tag.name}.${name}`,
  type: field?.type ?? '',
})

const isAsWritten = ({ operator, operand, given }: FieldTest): boolean =>
  operand === (isRecord(given) && Object.hasOwn(given, operator) ? given[operator] : given)

/** Whether it says another time tomorrow. */
export function isRelative(filter: BoundFilter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.children.some(isRelative)
    case 'not':
      return isRelative(filter.child)
    case 'field':
    case 'column':
      return !isAsWritten(filter.test)
    case 'hop':
      return isRelative(filter.target)
    case 'reverse':
      return filter.filter !== undefined && isRelative(filter.filter)
    case 'changed':
      return true // what has happened until now
    case 'search':
    case 'has_tag':
      return false
  }
}
