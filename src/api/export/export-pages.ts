import { type ExportedFile, markdownZip } from '#src/api/export/markdown-zip.ts'
import { ServiceError } from '#src/domain/errors.ts'
import type { Reply, ReplyMeta } from '#src/domain/reply.ts'
import type { ExportInput } from '#src/operations/export/export-schemas.ts'
import {
  exportNames,
  exportPage,
  type ExportPlan,
  exportTags,
  planExport,
} from '#src/operations/export/export-steps.ts'
import type { Note } from '#src/operations/export/markdown-notes.ts'
import type { Step } from '#src/runtime/operation.ts'

export interface ExportSource {
  /** Runs a step of an export for who asked. */
  read: <I extends object>(step: Step<I>, input: I) => Promise<Reply>
  /** Undefined where there is none that they may read. */
  file: (file_id: string) => Promise<ExportedFile | undefined>
  now: Date
}

/** An export that has begun: its first page is read, so that whatever is wrong with the request is known. */
export interface BegunExport {
  meta: ReplyMeta
  pieces: AsyncIterable<Buffer>
}

/** A file that is gone, or not the caller's to read, is left out. */
export async function whereReadable<T>(file: Promise<T>): Promise<T | undefined> {
  try {
    return await file
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'NotFound' || error.code === 'Gone'))
      return undefined
    throw error
  }
}

export async function exportPages(source: ExportSource, input: ExportInput): Promise<BegunExport> {
  const { read } = source
  const { as_of } = input
  const plan = JSON.parse((await read(planExport, input)).json) as ExportPlan
  const page = (after?: string) => read(exportPage, { ...input, plan, after })
  const first = await page()
  const pages = onwards(first, page)
  // The page warns of the filter, as the plan does.
  const warnings = [...new Set([...plan.warnings, ...(first.meta?.warnings ?? [])])]
  const meta = { ...first.meta, ...(warnings.length && { warnings }) }
  if (input.format !== 'markdown') return { meta, pieces: bytesOf(pages) }
  const name = (after?: string) => read(exportNames, { ...input, plan, after })
  const pieces = markdownZip({
    ...source,
    names: parsed<{ item_id: string; name: string }>(onwards(await name(), name)),
    notes: parsed<Note>(pages),
    tags: async (tag_ids) => elementsOf((await read(exportTags, { tag_ids, as_of })).json),
  })
  return { meta, pieces }
}

/** While a page goes out the next one is read. */
async function* onwards(first: Reply, page: (after: string) => Promise<Reply>): AsyncGenerator<Reply, void> {
  const after = ({ meta }: Reply): Promise<Reply> | undefined => {
    if (meta?.next === undefined) return undefined
    const coming = page(meta.next)
    coming.catch(() => {}) // heard by the one that asks for it; nobody may
    return coming
  }
  for (let present: Reply | undefined = first; present;) {
    const coming = after(present)
    yield present
    present = await coming
  }
}

async function* bytesOf(pages: AsyncIterable<Reply>): AsyncGenerator<Buffer, void> {
  for await (const { bytes } of pages) yield bytes
}

async function* parsed<T>(pages: AsyncIterable<Reply>): AsyncGenerator<readonly T[], void> {
  for await (const { json } of pages) yield JSON.parse(json) as T[]
}

const elementsOf = (json: string): string[] =>
  (JSON.parse(json) as unknown[]).map((element) => JSON.stringify(element))
