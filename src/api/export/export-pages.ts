import type { Reply, ReplyMeta } from '#src/domain/reply.ts'
import type { ExportInput } from '#src/operations/export/export-schemas.ts'
import { exportPage, type ExportPlan, planExport } from '#src/operations/export/export-steps.ts'
import type { Step } from '#src/runtime/operation.ts'

/** Runs a step of an export for who asked. */
export type ReadStep = <I extends object>(step: Step<I>, input: I) => Promise<Reply>

/** An export that has begun: its first page is read, so that whatever is wrong with the request is known. */
export interface BegunExport {
  meta: ReplyMeta
  pieces: AsyncGenerator<Buffer, void>
}

export async function exportPages(read: ReadStep, input: ExportInput): Promise<BegunExport> {
  const plan = JSON.parse((await read(planExport, input)).json) as ExportPlan
  const page = (after?: string) => read(exportPage, { ...input, plan, after })
  const first = await page()
  return { meta: first.meta ?? {}, pieces: onwards(first, page) }
}

/** While a page goes out the next one is read. */
async function* onwards(first: Reply, page: (after: string) => Promise<Reply>): AsyncGenerator<Buffer, void> {
  const after = ({ meta }: Reply): Promise<Reply> | undefined => {
    if (meta?.next === undefined) return undefined
    const coming = page(meta.next)
    coming.catch(() => {}) // heard by the one that asks for it; nobody may
    return coming
  }
  for (let present: Reply | undefined = first; present;) {
    const coming = after(present)
    yield present.bytes
    present = await coming
  }
}
