import { Type } from 'typebox'
import { changeSummary } from '#src/domain/change-summary.ts'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid, type Ulid, ulidTime } from '#src/domain/ulid.ts'
import { AfterTime, changeFilter, changeQuery, TagIds } from '#src/operations/schemas/change.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { STREAM_PAGE } from '#src/operations/paging.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { UnknownWords } from '#src/operations/audit/unknown-words.ts'
import { Change } from '#src/operations/schemas/answers.ts'
import { emptyFacts } from '#src/domain/change-facts.ts'
import { findChanges, operationsOfChanges, type ChangeRow } from '#src/storage/changes/find-changes.ts'
import { importsOfChanges } from '#src/storage/imports/imports-of-changes.ts'

export const searchChanges = defineOperation({
  name: 'searchChanges',
  summary:
    'List changes, newest first: each call that changed something is one, with a sentence that says what.',
  description:
    'What a change did, event by event, is in the audit log under its change_id; undo takes one back. A warning names an operation, a source, tags and ids that no change has.',
  tool_description: 'query_audit_log with its change_id says more of one; undo_changes takes it back.',
  access: 'user',
  effect: 'read',
  rest: 'POST /api/changes/search',
  tool: 'list_changes',
  paged: true,
  input: Type.Object(
    {
      after_time: Type.Optional(AfterTime),
      ...changeFilter,
      tag_ids: TagIds,
      operation: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only changes by this operation, e.g. bulkDelete' }),
      ),
      limit: Type.Optional(Limit),
      after: Type.Optional(After),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(Change),
  example: { input: { after_time: '2026-01-01', source: 'mcp', limit: 20 } },
  async run({ db }, { limit = STREAM_PAGE, after, ...filter }) {
    const before = after === undefined ? undefined : parseUlid(after)
    if (before === null)
      throw badRequest('after: not a cursor of this list', {
        suggestion: 'Take X-Next-Cursor (next.after) as it came',
      })
    const unknown = new UnknownWords()
    const wanted = await changeQuery(db, filter, { unknown })
    const rows = await findChanges(db, { ...wanted, before }, limit + 1)
    const { operation } = filter
    if (operation !== undefined && !rows.length && before === undefined) {
      const known = await operationsOfChanges(db)
      if (!known.includes(operation)) unknown.add('operation', operation, 'change by an operation', known)
    }
    const page = rows.slice(0, limit)
    const next = rows.length > limit ? { next: page.at(-1)!.change_id } : undefined
    const imports = await importsOfChanges(db, page)
    const told = page.map((row) => changeJson(row, imports.get(row.change_id)))
    return new Reply(`[${told.join()}]`, { ...next, warnings: unknown.warnings })
  },
})

function changeJson(row: ChangeRow, import_id: Ulid | undefined): string {
  const { change_id, operation, summary, user_id, user_name, source, client, counts, undoes, undone_by } = row
  const proposed = row.proposed_by === null ? '' : `,"proposed_by":${row.proposed_by}`
  const imported = import_id === undefined ? '' : `,"import_id":"${import_id}"`
  const told = {
    change_id,
    operation,
    summary:
      summary ?? changeSummary({ ...emptyFacts(), counts: JSON.parse(counts) as Record<string, number> }),
    created_at: new Date(ulidTime(change_id)).toISOString(),
    user_id,
    user_name,
    source,
  }
  const head = JSON.stringify(told).slice(0, -1)
  return `${head},"client":${client ?? 'null'},"counts":${counts},"undoes":${undoes ?? '[]'},"undone_by":${JSON.stringify(undone_by)}${proposed}${imported}}`
}
