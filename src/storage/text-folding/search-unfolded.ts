import { foldDescription, foldForSearch } from '#src/domain/search-text.ts'
import { mapLeaves, nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { BEFORE_WORDS } from '#src/filter/sql/search-probe.ts'
import type { Db } from '#src/sql/query.ts'
import { sightOf } from '#src/storage/sight/sight.ts'
import { type Unfolded, unfolded, unfoldedAfter } from '#src/storage/text-folding/text-folding.ts'

type Search = Extract<FilterPlan, { kind: 'search' }>

/** More row ids than these are not read within a page of a search: to read and fold as many takes some tenths of a second. */
const MOST_READ = 20_000

/** What a page of a search has to say where texts that wait are too many to be read for it; undefined where they are read. */
export async function unfoldedWarning(db: Db, plan: FilterPlan): Promise<string | undefined> {
  const left = searchesIn(plan).length ? await unfolded(db) : undefined
  if (!left || left.last - left.done <= MOST_READ) return undefined
  return `${waitingFor(db, left)} these are found as before it: accents and markup count there`
}

/** The same of searches for any of some words, which are looked up as texts were folded before, however few wait. */
export async function unfoldedWordsWarning(db: Db, plan: FilterPlan): Promise<string | undefined> {
  const left = nodesOf(plan).some(({ kind }) => kind === 'any') ? await unfolded(db) : undefined
  return left && `${waitingFor(db, left)} 'match: "any"' may not find these`
}

function waitingFor(db: Db, { done, last }: Unfolded): string {
  const left = last - done
  const which = sightOf(db) ? 'some items' : `up to ${left} item${left === 1 ? '' : 's'}`
  return `After an upgrade the texts of ${which} are still being prepared for 'search'; until then`
}

/**
 * The plan with every search answered for items whose texts an upgrade has still to fold (decision 23): these are
 * read one by one, and those that have what is sought are alongside the search, which passes them by.
 */
export async function settleUnfolded(db: Db, plan: FilterPlan): Promise<FilterPlan> {
  const searches = searchesIn(plan)
  const left = searches.length ? await unfolded(db) : undefined
  if (!left) return plan
  const found = new Map(searches.map((each) => [each, [] as number[]]))
  for (let done = left.done; ;) {
    const texts = await unfoldedAfter(db, { ...left, done })
    for (const item of texts) {
      const name = foldForSearch(item.name)
      const description = item.description === null ? '' : foldDescription(item.description)
      for (const [search, items] of found) if (holds(search, name, description)) items.push(item.id)
    }
    if (!texts.length) break
    done = texts.at(-1)!.id
  }
  return mapLeaves(plan, (leaf) => {
    if (!isSearch(leaf)) return leaf
    const items = found.get(leaf)!
    const folded: FilterPlan = { ...leaf, except: { after: left.done, upTo: left.last } }
    return items.length ? { kind: 'or', children: [folded, { kind: 'items', items }] } : folded
  })
}

function holds({ text, part }: Search, name: string, description: string): boolean {
  switch (part) {
    case undefined:
      return name.includes(text) || description.includes(text)
    case 'name':
      return name.includes(text)
    case 'description':
      return description.includes(text)
    case 'whole_name':
      return name === text
    case 'name_start':
      return name.startsWith(text)
    case 'word_start':
      return name.includes(text) && BEFORE_WORDS.some((before) => name.includes(before + text))
  }
}

const isSearch = (node: FilterPlan): node is Search => node.kind === 'search' && !node.except

const searchesIn = (plan: FilterPlan): Search[] => nodesOf(plan).filter(isSearch)
