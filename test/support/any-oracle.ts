import { flattenFields, type FieldMap } from '#src/domain/field-schema.ts'
import { indexValues } from '#src/domain/index-values.ts'
import { foldDescription, foldForSearch } from '#src/domain/search-text.ts'
import type { Db } from '#src/sql/query.ts'

/**
 * Searches for any of some words by the letter of additions §13 and of docs/reference/relevance.md: every item is
 * looked at, character by character. It shares only the folding with what it is compared to.
 */
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
const characters = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment)
const UNSPACED = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]$/u

/** Runs of code points that are in one group, with that group; `none` parts them. */
function runs(text: string): { text: string; unspaced: boolean }[] {
  const found: { text: string; unspaced: boolean }[] = []
  let last: boolean | undefined
  for (const each of text.normalize('NFC')) {
    const group = /^[\p{L}\p{M}\p{Nd}\p{Nl}]$/u.test(each) ? UNSPACED.test(each) : undefined
    if (group !== undefined && group === last) found.at(-1)!.text += each
    else if (group !== undefined) found.push({ text: each, unspaced: group })
    last = group
  }
  return found
}

interface Word {
  stem: string
  whole: string
}

function wordOf(run: string): Word {
  const all = characters(run)
  const stem = all.slice(0, 6).join('')
  let rest = run.slice(stem.length).slice(0, 32)
  if (!rest.isWellFormed()) rest = rest.slice(0, -1)
  return { stem, whole: stem + rest }
}

const pairs = (all: readonly string[]) => all.slice(1).map((each, i) => all[i]! + each)
const alone = (text: string): Word => ({ stem: text, whole: text })

function wordsIn(folded: string): { words: Word[]; length: number } {
  const words: Word[] = []
  let length = 0
  for (const { text, unspaced } of runs(folded)) {
    const all = characters(text)
    words.push(...(unspaced ? [...all, ...pairs(all)].map(alone) : [wordOf(text)]))
    length += unspaced ? all.length : 1
  }
  return { words, length }
}

/** By stem, the words themselves. */
function soughtWords(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { text: run, unspaced } of runs(foldForSearch(text))) {
    const all = characters(run)
    const words = unspaced ? (all.length > 1 ? pairs(all) : all).map(alone) : [wordOf(run)]
    for (const { stem, whole } of words) (found.get(stem) ?? found.set(stem, new Set()).get(stem)!).add(whole)
  }
  return found
}

const PLACES = ['name', 'description', 'values'] as const
type Place = (typeof PLACES)[number]

export interface OracleItem {
  id: number
  item_id: string
  name: string
  updated_at: string
  places: Record<Place, { words: Word[]; length: number }>
}

/** All living items of a base with their words. */
export async function oracleItems(db: Db): Promise<OracleItem[]> {
  const rows = <Row>(sql: string) => db.select<Row>({ sql, parameters: [] })
  const entries = await rows<{ item: number; fields: string; field_values: string }>(
    'select e.item, t.fields, e.field_values from item_tag e join tag t on t.id = e.tag where t.deleted_at is null order by e.item, e.tag',
  )
  const values = new Map<number, string[]>()
  for (const { item, fields, field_values } of entries) {
    const given = JSON.parse(field_values) as Record<string, unknown>
    for (const { name, type } of flattenFields(JSON.parse(fields) as FieldMap).values()) {
      if (!['String', 'Select', 'MultiSelect'].includes(type)) continue
      for (const entry of indexValues(type, Object.hasOwn(given, name) ? given[name] : null, () => undefined))
        if (entry.as === 'text') (values.get(item) ?? values.set(item, []).get(item)!).push(entry.text)
    }
  }
  const items = await rows<
    Pick<OracleItem, 'id' | 'item_id' | 'name' | 'updated_at'> & { description: string | null }
  >('select id, item_id, name, description, updated_at from item where deleted_at is null order by id')
  return items.map(({ description, ...item }) => {
    const ofValues = (values.get(item.id) ?? []).map((each) => wordsIn(foldForSearch(each)))
    return {
      ...item,
      places: {
        name: wordsIn(foldForSearch(item.name)),
        description: wordsIn(description === null ? '' : foldDescription(description)),
        values: {
          words: ofValues.flatMap(({ words }) => words),
          length: ofValues.reduce((sum, { length }) => sum + length, 0),
        },
      },
    }
  })
}

const WEIGHT: Record<Place, number> = { name: 3, description: 1, values: 1 }
const BY_LENGTH: Record<Place, number> = { name: 0.3, description: 0.75, values: 0.75 }
/** As often as is kept of how often a word occurs. */
const KEPT: Record<Place, number[]> = {
  name: [0, 1, 2, 3],
  description: [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 28, 40, 64],
  values: [0, 1, 2, 3],
}

/** How often an item has words that begin with the stem, and how often these are the word itself. */
function times(item: OracleItem, place: Place, stem: string, itself: ReadonlySet<string>): [number, number] {
  const byWhole = new Map<string, number>()
  for (const word of item.places[place].words)
    if (word.stem === stem) byWhole.set(word.whole, (byWhole.get(word.whole) ?? 0) + 1)
  let [all, own] = [0, 0]
  for (const [whole, count] of byWhole) {
    const kept = KEPT[place].findLast((each) => each <= count)!
    all += kept
    if (itself.has(whole)) own += kept
  }
  return [all, own]
}

/** Whether a text has a word that no item has there and that is long enough to be taken for a typing error. */
export function hasTypingError(
  items: readonly OracleItem[],
  texts: readonly string[],
  places: readonly Place[],
): boolean {
  const known = new Set(
    items.flatMap((item) => places.flatMap((place) => item.places[place].words.map(({ stem }) => stem))),
  )
  return texts.some((text) =>
    [...soughtWords(text)].some(
      ([stem, wholes]) => !known.has(stem) && [...wholes].some((each) => characters(each).length >= 5),
    ),
  )
}

/** Scores by row id of the items that are found. */
export function oracleScores(
  items: readonly OracleItem[],
  texts: readonly string[],
  places: readonly Place[],
): Map<number, number> {
  const average = (place: Place) => {
    const having = items.filter((each) => each.places[place].length)
    const sum = having.reduce((all, each) => all + each.places[place].length, 0)
    return Math.floor((1024 * sum) / Math.max(1, having.length))
  }
  const averages = { name: average('name'), description: average('description'), values: average('values') }
  const best = new Map<number, number>()
  for (const text of texts) {
    const words = [...soughtWords(text)].map(([stem, itself]) => {
      const found = items.map((item) => places.map((place) => times(item, place, stem, itself)))
      return { found, having: found.filter((each) => each.some(([all]) => all > 0)).length }
    })
    const counted = words
      .filter(({ having }) => having)
      .toSorted((a, b) => a.having - b.having)
      .slice(0, 32)
    for (const [i, item] of items.entries()) {
      let sum = 0
      const together = places.map(() => 0)
      for (const { found, having } of counted) {
        let weight = 0
        for (const [p, place] of places.entries()) {
          const [all, own] = found[i]![p]!
          if (!all) continue
          together[p]!++
          const share = BY_LENGTH[place]
          const length = Math.max(
            0.5,
            1 - share + (share * item.places[place].length * 1024) / Math.max(averages[place], 1024),
          )
          // In twentieths, as whole numbers: what begins alike counts for 17 of them.
          weight += (20 * own + 17 * (all - own)) * (WEIGHT[place] / 20 / length)
        }
        const rarity = Math.max(
          1,
          Math.round(1024 * Math.log(1 + (items.length - having + 0.5) / (having + 0.5))),
        )
        if (weight) sum += Math.max(1, Math.round((rarity * weight * 3) / (weight + 2)))
      }
      if (!sum) continue
      const most = Math.max(...together)
      const score =
        sum + Math.round(sum * (0.1 * (most / counted.length) ** 2 + (most === counted.length ? 0.25 : 0)))
      best.set(item.id, Math.max(score, best.get(item.id) ?? 0))
    }
  }
  return best
}

/** Row ids by score, shorter name, newest change, newest item. */
export function oracleOrder(items: readonly OracleItem[], scores: ReadonlyMap<number, number>): number[] {
  return items
    .filter(({ id }) => scores.has(id))
    .toSorted(
      (a, b) =>
        scores.get(b.id)! - scores.get(a.id)! ||
        Array.from(a.name).length - Array.from(b.name).length ||
        (a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : b.id - a.id),
    )
    .map(({ id }) => id)
}
