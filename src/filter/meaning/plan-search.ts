import { foldForSearch } from '#src/domain/search-text.ts'
import { soughtIn } from '#src/domain/words.ts'
import { type SearchForm, type SearchPlace, textsOf, wordsOf } from '#src/filter/language/search-form.ts'
import type { BoundLeaf } from '#src/filter/meaning/bound-filter.ts'
import type { AnyPlan, FilterPlan } from '#src/filter/meaning/plan.ts'

/** A text as what is searched holds texts: of items and of tags folded each its own way. */
export type Fold = (text: string) => string

/** One text that is looked for, folded. */
export interface Sought {
  text: string
  places: readonly SearchPlace[]
}

const USUAL: readonly SearchPlace[] = ['name', 'description']

/**
 * What a search looks for, for each of its texts, of which one is enough: the text, or each of its words; nothing
 * where every item has it.
 */
export function soughtBy({ in: places = USUAL, match, ...form }: SearchForm, fold: Fold): Sought[][] {
  return textsOf(form).map((text) => {
    const parts = match === 'words' ? wordsOf(text) : [text]
    return [...new Set(parts.map(fold))].filter((each) => each !== '').map((each) => ({ text: each, places }))
  })
}

export function planOfSearch(leaf: Extract<BoundLeaf, { kind: 'search' }>, fold: Fold): FilterPlan {
  if (leaf.match === 'any') return planOfAny(leaf)
  const children = soughtBy(leaf, fold).map((sought) =>
    joined(
      'and',
      sought.map((each) => planOfSought(each, leaf.fields ?? [])),
    ),
  )
  return children.some(({ kind }) => kind === 'always') ? { kind: 'always' } : joined('or', children)
}

const joined = (kind: 'and' | 'or', children: readonly FilterPlan[]): FilterPlan =>
  children.length > 1 ? { kind, children } : (children[0] ?? { kind: 'always' })

function planOfAny(form: SearchForm): AnyPlan {
  const texts = textsOf(form).map((text) => soughtIn(foldForSearch(text)))
  return { kind: 'any', texts, places: form.in ?? USUAL }
}

function planOfSought({ text, places }: Sought, fields: readonly number[]): FilterPlan {
  const texts = places.filter((each) => each !== 'values')
  const children: FilterPlan[] = []
  if (texts.length === 1) children.push({ kind: 'search', text, part: texts[0]! })
  else if (texts.length) children.push({ kind: 'search', text })
  if (places.includes('values')) children.push({ kind: 'values', text, fields })
  return children.length > 1 ? { kind: 'or', children } : children[0]!
}
