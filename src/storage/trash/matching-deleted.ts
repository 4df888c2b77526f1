import { isTextTest } from '#src/domain/text-test.ts'
import { type RawBuilder, sql } from 'kysely'
import type { FieldValues } from '#src/domain/field-values.ts'
import { type IndexEntry, indexValues } from '#src/domain/index-values.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import type { AnyPlan, FilterPlan } from '#src/filter/meaning/plan.ts'
import { deletedFilterToSql } from '#src/filter/sql/filter-to-sql.ts'
import type { Db } from '#src/sql/query.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import { tagsOfItems } from '#src/storage/items/item-tags.ts'
import { textRow } from '#src/storage/items/items.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { idsOf } from '#src/storage/search/candidates.ts'
import { evaluateRegexes } from '#src/storage/search/evaluate-regexes.ts'
import { textFields } from '#src/storage/tags/text-fields.ts'
import { wordsOfTexts } from '#src/storage/words/item-words.ts'
import { hasAny, settleAny, these, wordsThatCount } from '#src/storage/words/settle-any.ts'
import { settleUnfolded } from '#src/storage/text-folding/search-unfolded.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'
import type { DeletedRow } from '#src/storage/trash/deleted-rows.ts'
import { referencedIds } from '#src/storage/value-index/field-values.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

/** An index row that a deleted item would have. */
interface LostRow {
  field: number
  entry: IndexEntry
  item: number
}

/** The plan with what engines cannot match settled for the items that are referred to, once for all deleted items. */
export async function settleTargets(db: Db, plan: FilterPlan): Promise<FilterPlan> {
  switch (plan.kind) {
    case 'and':
    case 'or': {
      const children: FilterPlan[] = []
      for (const each of plan.children) children.push(await settleTargets(db, each))
      return { kind: plan.kind, children }
    }
    case 'not':
      return { kind: 'not', child: await settleTargets(db, plan.child) }
    case 'hop':
    case 'referred':
      return evaluateRegexes(db, await settleUnfolded(db, await settleAny(db, plan)))
    case 'any':
      return wordsThatCount(db, plan)
    case 'changed':
      await requireWholeLog(db)
      return plan
    default:
      return plan
  }
}

/**
 * Those of the deleted items that satisfied the plan, by row id. They have no index rows any more, so these are made
 * for the statement; few at once, because it goes through them for each item. `plan` as `settleTargets` gives it.
 */
export async function matchingDeleted(
  db: Db,
  plan: FilterPlan,
  rows: readonly DeletedRow[],
): Promise<Set<number>> {
  if (plan.kind === 'always' || !rows.length) return new Set(rows.map(({ id }) => id))
  if (plan.kind === 'never') return new Set()
  const lost = await lostRows(db, rows)
  const settled = await settleOwn(db, plan, rows, lost)
  const { dialect } = db
  const values = JSON.stringify(
    lost.map(({ field, entry, item }) => dialect.fieldValue.asJson(field, entry, item)),
  )
  const texts = JSON.stringify(rows.map(textRow))
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const found: RawBuilder<{ item: number }> =
    sql`with deleted_value as materialized (${dialect.fieldValue.fromJson(values)}), deleted_text as materialized (${dialect.foldedTexts(texts)}) select i.id as item from item i where i.id in ${dialect.integers(ids)} and ${deletedFilterToSql(settled, dialect, 'i')}`
  return new Set(await idsOf(db, found))
}

/** What the index would have of the items. */
async function lostRows(db: Db, rows: readonly DeletedRow[]): Promise<LostRow[]> {
  const entries = await tagsOfItems(
    db,
    rows.map(({ id }) => id),
  )
  const applied = []
  for (const { item, tag, field_values } of entries) {
    const found = (await findTagByRow(db, tag))!
    applied.push({ item, tag: found, values: JSON.parse(field_values) as FieldValues })
  }
  const targets = await findTargets(db, referencedIds(applied))
  return applied.flatMap(({ item, tag, values }) => [
    { field: HAS_TAG, entry: { as: 'reference', item: tag.id } as const, item },
    ...Object.entries(values).flatMap(([name, value]) => {
      const field = tag.rows.get(name)
      if (!field) return []
      return indexValues(field.kind, value, (item_id) => targets.get(item_id)?.id).map((entry) => ({
        field: field.id,
        entry,
        item,
      }))
    }),
  ])
}

/** Where the engine cannot match patterns, or fold, the items themselves are in place of the test. */
async function settleOwn(
  db: Db,
  plan: FilterPlan,
  rows: readonly DeletedRow[],
  lost: readonly LostRow[],
): Promise<FilterPlan> {
  const settle = (each: FilterPlan) => settleOwn(db, each, rows, lost)
  switch (plan.kind) {
    case 'and':
    case 'or': {
      const children: FilterPlan[] = []
      for (const each of plan.children) children.push(await settle(each))
      return { kind: plan.kind, children }
    }
    case 'not':
      return { kind: 'not', child: await settle(plan.child) }
    case 'text':
    case 'field': {
      if (!db.patterns || !isTextTest(plan.test)) return plan
      const texts = plan.kind === 'field' ? textsOf(lost, [plan.field.id]) : columnOf(rows, plan.column)
      const found = await db.patterns.match(
        plan.test,
        texts.map(({ text }) => text),
      )
      return these(found.map((position) => texts[position]!.item))
    }
    case 'values': {
      if (db.dialect.filter.containsFolded) return plan
      const holding = textsOf(lost, plan.fields).filter(({ text }) => foldForSearch(text).includes(plan.text))
      return these(holding.map(({ item }) => item))
    }
    case 'any': {
      const found = withAny(plan, rows, textsOf(lost, await textFields(db)))
      return these(found.map(({ id }) => id))
    }
    default:
      return plan
  }
}

function withAny(plan: AnyPlan, rows: readonly DeletedRow[], texts: ReturnType<typeof textsOf>) {
  const values = Map.groupBy(texts, ({ item }) => item)
  return rows.filter((row) => {
    const [, name, description] = textRow(row)
    const own = (values.get(row.id) ?? []).map(({ text }) => text)
    return hasAny(wordsOfTexts({ name_length: 0, name, description, values: own }), plan)
  })
}

const textsOf = (lost: readonly LostRow[], fields: readonly number[]) =>
  lost.flatMap(({ field, entry, item }) =>
    entry.as === 'text' && fields.includes(field) ? [{ item, text: entry.text }] : [],
  )

const columnOf = (rows: readonly DeletedRow[], column: string) =>
  rows.map((row) => ({ item: row.id, text: column === 'name' ? row.name : row.description }))
