import { didYouMean } from '#src/domain/message-words.ts'
import { invalid, MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import type { Look, LookedTable } from '#src/imports/look/look.ts'
import type { SurveyAnswer } from '#src/imports/import-worker.ts'
import type { ImportPlan, Mapping, TableWish } from '#src/operations/imports/import-plan.ts'
import { PlannedTable } from '#src/operations/imports/planned-table.ts'
import { checkNewTag, nameTaken } from '#src/operations/tags/check-new-tag.ts'
import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import type { Db } from '#src/sql/query.ts'
import { findTag, findTagByName, missingTag, type StoredTag } from '#src/storage/tags/tags.ts'

/**
 * What an import is going to do: what somebody said of its tables, and of what they did not say what the look said.
 * `found`: what the file has of variants that are not said, once that is known.
 * @throws BadRequest with every fault, NotFound for an unknown tag, Conflict for a new one whose name is in use
 */
export async function settlePlan(
  db: Db,
  look: Look,
  { tables }: Mapping,
  found: SurveyAnswer['variants'] = [],
): Promise<ImportPlan> {
  const problems: Problem[] = []
  const wishes = tables ?? look.tables.map(({ name }): TableWish => ({ name }))
  const chosen: { wish: TableWish; table: LookedTable; at: string }[] = []
  for (const [i, wish] of wishes.entries()) {
    if (problems.length > MAX_PROBLEMS) break
    const at = `tables[${i}]`
    const table = look.tables.find(({ name }) => name === wish.name)
    if (!table) problems.push({ path: `${at}.name`, message: unknown('table', wish.name, look.tables) })
    else if (chosen.some((each) => each.table === table))
      problems.push({ path: `${at}.name`, message: `the table '${wish.name}' is given twice` })
    else chosen.push({ wish, table, at })
  }
  if (!wishes.length) problems.push({ path: 'tables', message: 'at least one table is to be imported' })
  if (problems.length) throw invalid(problems)

  const planned: PlannedTable[] = []
  for (const { wish, table, at } of chosen) {
    const { tag, new_name } = await tagOf(db, wish, table, tables !== undefined)
    planned.push(new PlannedTable({ table, wish, at, tag, new_name }, problems))
  }
  const known = { planned, look, tagIdOf: async (name: string) => (await findTag(db, name))?.tag_id }
  for (const [t, each] of planned.entries()) {
    const variants = new Map(found.filter((one) => one.t === t).map((one) => [one.column, one.variants]))
    await each.settle(known, variants)
    if (problems.length > MAX_PROBLEMS) break
  }
  if (problems.length) throw invalid(problems)
  const plan = { targets: planned.map((each) => each.target), tags: planned.map((each) => each.planned) }
  await checkTags(db, planned, chosen, problems)
  if (problems.length) throw invalid(problems)
  return plan
}

const unknown = (kind: string, name: string, all: readonly { name: string }[]): string =>
  `there is no ${kind} '${name}'; ${didYouMean(
    name,
    all.map((each) => each.name),
  )}`

/** The tag that is named, else the one that is called as the table, else a new one that is. */
async function tagOf(
  db: Db,
  { tag }: TableWish,
  table: LookedTable,
  isSaid: boolean,
): Promise<{ tag?: StoredTag | undefined; new_name: string | null }> {
  if (tag === null || (!tag && table.untagged)) return { new_name: null }
  if (tag && 'id' in tag) {
    const found = await findTag(db, tag.id)
    if (!found) throw await missingTag(db, tag.id)
    return { tag: found, new_name: null }
  }
  if (tag) {
    if (await findTagByName(db, tag.new.name)) throw await nameTaken(db, tag.new.name)
    return { new_name: tag.new.name }
  }
  const name = table.name.replaceAll('->', ' ').trim() || 'Import'
  const found = await findTagByName(db, name)
  return found || !isSaid ? { tag: found, new_name: name } : { new_name: name }
}

async function checkTags(
  db: Db,
  tables: readonly PlannedTable[],
  chosen: readonly { at: string }[],
  problems: Problem[],
): Promise<void> {
  const made = new Set<string>()
  for (const [t, { planned: tag, tag: before }] of tables.entries()) {
    if (!tag?.isChanged) continue
    const { at } = chosen[t]!
    if (tag.tag_id === null) {
      if (made.has(tag.name))
        problems.push({ path: `${at}.tag.new.name`, message: `another table makes a tag '${tag.name}' too` })
      made.add(tag.name)
      const found = await checkNewTag(db, { name: tag.name, fields: tag.fields }, `${at}.tag.new`)
      problems.push(...found)
    } else problems.push(...checkFieldSchema(tag.fields, `${at}.columns`, before?.schema))
  }
}
