import { chosenVariant } from '#src/domain/field-values.ts'
import { fileIdOf } from '#src/domain/file-values.ts'

/** What a stored value says to a reader: names of variants and of files, ids of items. */
export function plainOf(stored: unknown): string | number | boolean | readonly string[] {
  if (typeof stored === 'string' || typeof stored === 'number' || typeof stored === 'boolean') return stored
  if (Array.isArray(stored)) return stored.map(elementText)
  return elementText(stored)
}

function elementText(element: unknown): string {
  if (typeof element === 'string') return element
  const variant = chosenVariant(element)
  if (variant !== null) return variant
  if (fileIdOf(element) !== null && typeof (element as { name?: unknown }).name === 'string')
    return (element as { name: string }).name
  return JSON.stringify(element)
}

/** The ids of items that a Reference or MultiReference may have stored; null: it is nothing of the kind. */
export function textsIn(stored: unknown): readonly string[] | null {
  const list: readonly unknown[] = Array.isArray(stored) ? stored : [stored]
  return list.every((each) => typeof each === 'string') ? list : null
}
