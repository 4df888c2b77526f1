import { csvLine, guarded } from '#src/domain/csv-text.ts'
import { Together } from '#src/domain/together.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { Reply } from '#src/domain/reply.ts'
import { splitJson } from '#src/json/split-json.ts'
import { csvRow, type ListedItem } from '#src/operations/export/csv-row.ts'
import { exportColumns, type ExportColumn } from '#src/operations/export/export-columns.ts'
import type { ExportInput } from '#src/operations/export/export-schemas.ts'
import { type AskedBase, readFilterAt, withBaseAt } from '#src/operations/items/base-at.ts'
import { bindSelection } from '#src/operations/items/item-selection.ts'
import { type FullItem, type Note, noteOf } from '#src/operations/export/markdown-notes.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { STREAM_PAGE, STREAM_TEXT } from '#src/operations/paging.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { tagJson } from '#src/operations/tags/tag-answer.ts'
import type { Db } from '#src/sql/query.ts'
import { findTagById } from '#src/storage/tags/tags.ts'
import { findView, viewNotFound } from '#src/storage/views/views.ts'

/** Of the base of then no item is needed. */
const TAGS_ALONE = { parts: true }

/** Settled once for all pages: a tag that changes meanwhile does not shift columns. */
export interface ExportPlan {
  columns: ExportColumn[]
  /** What its filter says that can never match. */
  warnings: readonly string[]
}

interface ExportPage extends ExportInput {
  plan: ExportPlan
  after?: string | undefined
}

/**
 * What all pages of an export have in common.
 * @throws BadRequest for a filter or fields that are wrong; NotFound for a view that is not there
 */
export const planExport = defineStep({
  name: 'planExport',
  effect: 'read',
  run: (context, { as_of, ...wanted }: ExportInput): Promise<ExportPlan> =>
    withBaseAt(context, as_of, (asked) => planned(asked, wanted), TAGS_ALONE),
})

const ALL_FIELDS = "Notes of a Markdown export have all fields: 'fields' is for csv and jsonl"

async function planned(
  asked: AskedBase,
  { format, filter, view_id, fields }: Omit<ExportInput, 'as_of'>,
): Promise<ExportPlan> {
  const { catalog } = asked
  const parts = new Together()
  const read = await parts.read(() => readFilterAt(asked, filter, view_id))
  const columns = await parts.read(async () => {
    if (format === 'csv') return exportColumns(fields, read?.filter, catalog)
    if (fields) await bindSelection(fields, catalog)
    return []
  })
  parts.done()
  const ignored = format === 'markdown' && fields ? [ALL_FIELDS] : []
  return { columns: columns!, warnings: [...asked.warnings, ...(read?.warnings ?? []), ...ignored] }
}

/**
 * The filter of a view, whoever has it, for the operator of the base.
 * @throws NotFound
 */
export const findViewFilter = defineStep({
  name: 'findViewFilter',
  effect: 'read',
  async run({ db }, { view_id }: { view_id: string }): Promise<Record<string, unknown>> {
    const id = parseUlid(view_id)
    const view = id && (await findView(db, id))
    if (!view) throw viewNotFound(view_id)
    return JSON.parse(view.filter) as Record<string, unknown>
  },
})

/** A page of an export as it goes out: text; of notes as JSON, because their links are still to come. */
export const exportPage = defineStep({
  name: 'exportPage',
  effect: 'read',
  async run(context, page: ExportPage): Promise<Reply> {
    return PAGES[page.format](context, page)
  },
})

/** Ids and names of all that is exported, a page at a time: which names are alike. */
export const exportNames = defineStep({
  name: 'exportNames',
  effect: 'read',
  run: (context, page: ExportPage): Promise<Reply> => found(context, page, ['item_id', 'name']),
})

/** Tags as they are read, with all that they extend or refer to; those that the caller does not know are left out. */
export const exportTags = defineStep({
  name: 'exportTags',
  effect: 'read',
  run: (context, { tag_ids, as_of }: { tag_ids: readonly Ulid[] } & Pick<ExportInput, 'as_of'>) =>
    withBaseAt(
      context,
      as_of,
      async ({ past }) => {
        const texts = await tagsWithOthers(past?.db ?? context.db, tag_ids)
        return new Reply(`[${texts.join()}]`)
      },
      TAGS_ALONE,
    ),
})

async function tagsWithOthers(db: Db, tag_ids: readonly Ulid[]): Promise<string[]> {
  const texts: string[] = []
  const wanted = new Set(tag_ids)
  for (const tag_id of wanted) {
    const tag = await findTagById(db, tag_id)
    if (!tag) continue
    texts.push(tagJson(tag))
    for (const base of tag.bases) wanted.add(base.tag_id)
    for (const { schema } of tag.schema.values())
      if (typeof schema === 'object' && 'of' in schema) for (const id of schema.of ?? []) wanted.add(id)
  }
  return texts
}

async function notesPage(context: SqlContext, page: ExportPage): Promise<Reply> {
  const { json, meta } = await found(context, page, NOTE)
  const notesOf = async ({ catalog }: AskedBase) => {
    const made: Note[] = []
    for (const item of JSON.parse(json) as FullItem[]) made.push(await noteOf(item, catalog))
    return made
  }
  const notes = await withBaseAt(context, page.as_of, notesOf, TAGS_ALONE)
  return Reply.of(notes, meta)
}

/** All of an item, and what it refers to. */
const NOTE = ['item_id', 'name', 'description', 'updated_at', 'tags', 'references']

async function csvPage(context: SqlContext, page: ExportPage): Promise<Reply> {
  const { columns } = page.plan
  const { json, meta } = await found(context, page, [...columns.map(({ ask }) => ask), 'references'])
  const rows = (JSON.parse(json) as ListedItem[]).map((item) => csvLine(csvRow(columns, item)))
  const head = page.after === undefined ? csvLine(columns.map(({ header }) => guarded(header))) : ''
  return new Reply(head + rows.join(''), meta)
}

async function linesPage(context: SqlContext, page: ExportPage): Promise<Reply> {
  const { json, meta } = await found(context, page, page.fields)
  // As they are stored: nothing is read and written anew on the way. Line feeds can be between values alone.
  const lines = (splitJson(json, 1)?.pieces ?? []).map(
    (piece) => `${piece.slice(1, -1).replaceAll(/[\r\n]+/g, ' ')}\n`,
  )
  return new Reply(lines.join(''), meta)
}

const PAGES = { csv: csvPage, jsonl: linesPage, markdown: notesPage }

/** The one place where an export reads items: what a search can, it can. */
async function found(
  context: SqlContext,
  { filter, view_id, as_of, sort, time_zone, after }: ExportPage,
  fields: readonly string[] | undefined,
): Promise<Reply> {
  // In the same order whoever asks, also where a tool did: its lists have the newest first, a file has not.
  const caller = { ...context.caller, source: 'rest' as const }
  const answer = await searchItems.run(
    { ...context, caller, page_text: STREAM_TEXT },
    {
      ...(filter && { filter }),
      ...(view_id !== undefined && { view_id }),
      ...(as_of !== undefined && { as_of }),
      ...(sort && { sort }),
      ...(time_zone !== undefined && { time_zone }),
      ...(after !== undefined && { after }),
      ...(fields && { fields: [...fields], expand: fields.includes('references') }),
      limit: STREAM_PAGE,
    },
  )
  return answer as Reply
}
