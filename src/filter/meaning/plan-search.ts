import { type SearchForm, type SearchPlace, wordsOf } from '#src/filter/language/search-form.ts'
import type { BoundLeaf } from '#src/filter/meaning/bound-filter.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'

/** A text as what is searched holds texts: of items and of tags folded each its own way. */
export type Fold = (text: string) => string

/** One text that is looked for, folded. */
export interface Sought {
  text: string
  places: readonly SearchPlace[]
}

const USUAL: readonly SearchPlace[] = ['name', 'description']

/** What a search looks for: one text, or each of its words; nothing where every item has it. */
export function soughtBy({ text, in: places = USUAL, match }: SearchForm, fold: Fold): Sought[] {
  const texts = match === 'words' ? wordsOf(text) : [text]
  return [...new Set(texts.map(fold))].filter((each) => each !== '').map((each) => ({ text: each, places }))
}

export function planOfSearch(leaf: Extract<BoundLeaf, { kind: 'search' }>, fold: Fold): FilterPlan {
  const children = soughtBy(leaf, fold).map((each) => planOfSought(each, leaf.fields ?? []))
  return children.length > 1 ? { kind: 'and', children } : (children[0] ?? { kind: 'always' })
}

function planOfSought({ text, places }: Sought, fields: readonly number[]): FilterPlan {
  const texts = places.filter((each) => each !== 'values')
  const children: FilterPlan[] = []
  if (texts.length === 1) children.push({ kind: 'search', text, part: texts[0]! })
  else if (texts.length) children.push({ kind: 'search', text })
  if (places.includes('values')) children.push({ kind: 'values', text, fields })
  return children.length > 1 ? { kind: 'or', children } : children[0]!
}
