import { sql } from 'kysely'
import { readableText } from '#src/domain/readable-text.ts'
import { type FoundSnippet, type Marked, snippetOf } from '#src/domain/snippet.ts'
import { SEARCH_PLACES, type SearchPlace } from '#src/filter/language/search-form.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { type Db, query } from '#src/sql/query.ts'
import { textPieces } from '#src/storage/items/text-pieces.ts'
import { textFields } from '#src/storage/tags/text-fields.ts'

/** What the searches of a filter look for in each place. */
type MarkedPlaces = Record<SearchPlace, { stems: Set<string>; texts: string[] }>

/** What the searches outside of `not` look for; undefined where there are none. */
export function markedBy(plan: FilterPlan): MarkedPlaces | undefined {
  const marked: MarkedPlaces = {
    name: { stems: new Set(), texts: [] },
    description: { stems: new Set(), texts: [] },
    values: { stems: new Set(), texts: [] },
  }
  addMarked(plan, marked)
  return SEARCH_PLACES.some((place) => marked[place].stems.size || marked[place].texts.length)
    ? marked
    : undefined
}

function addMarked(plan: FilterPlan, marked: MarkedPlaces): void {
  if (plan.kind === 'and' || plan.kind === 'or') {
    for (const each of plan.children) addMarked(each, marked)
  } else if (plan.kind === 'any') {
    for (const place of plan.places)
      for (const { stem } of plan.texts.flat())
        for (const each of plan.stands_for?.get(stem) ?? [stem]) marked[place].stems.add(each)
  } else if (plan.kind === 'search') {
    for (const place of plan.part === undefined ? (['name', 'description'] as const) : [plan.part])
      marked[place === 'description' ? place : 'name'].texts.push(plan.text)
  } else if (plan.kind === 'values') marked.values.texts.push(plan.text)
}

const itemTexts = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('item').select(['id', 'name', 'description']).where('id', 'in', integers(p.ids)),
)

/** Of each item (row id), as JSON text, the piece of its texts that a search has met best; null where none has. */
export async function snippetsOf(
  db: Db,
  marked: MarkedPlaces | undefined,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  if (!marked) return found
  for (const some of await textPieces(db, 'item', ids))
    for (const [id, snippet] of await snippetsOfSome(db, marked, some)) found.set(id, snippet)
  return found
}

async function snippetsOfSome(
  db: Db,
  marked: MarkedPlaces,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  const values = isSought(marked.values) ? await valuesOf(db, ids) : new Map<number, ValueText[]>()
  for (const { id, name, description } of await db.all(itemTexts, { ids: JSON.stringify(ids) })) {
    const places: [place: string, text: string, by: Marked][] = [
      ['name', name, marked.name],
      ['description', description === null ? '' : readableText(description), marked.description],
      ...(values.get(id) ?? []).map((each): [string, string, Marked] => [
        `${each.tag}.${each.field}`,
        each.text,
        marked.values,
      ]),
    ]
    let best: (FoundSnippet & { place: string }) | undefined
    for (const [place, text, by] of places) {
      const snippet = isSought(by) ? snippetOf(text, by) : undefined
      if (snippet && snippet.met > (best?.met ?? 0)) best = { ...snippet, place }
    }
    if (best) found.set(id, JSON.stringify({ text: best.text, marks: best.marks, place: best.place }))
  }
  return found
}

const isSought = ({ stems, texts }: Marked): boolean => stems.size > 0 || texts.length > 0

interface ValueText {
  item: number
  tag: string
  field: string
  text: string
}

async function valuesOf(db: Db, ids: readonly number[]): Promise<Map<number, ValueText[]>> {
  const fields = await textFields(db)
  if (!fields.length) return new Map()
  const { filter, builder } = db.dialect
  const text = filter.value('v', 'full_text')
  const rows = sql<
    Omit<ValueText, 'text'> & { text: unknown }
  >`select v.item, t.name as tag, f.name as field, ${text} as text from ${FIELD_VALUE} v join field f on f.id = v.field join tag t on t.id = f.tag where v.item in ${db.dialect.integers(JSON.stringify(ids))} and ${filter.isOneOf(sql`v.field`, fields, 'row_id')} order by v.item, v.field`
  const texts = (await db.select<ValueText>(rows.compile(builder))).filter(
    (row) => typeof row.text === 'string',
  )
  return Map.groupBy(texts, ({ item }) => item)
}
