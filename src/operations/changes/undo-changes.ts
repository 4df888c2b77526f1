import { Type } from 'typebox'
import { AfterTime, changeFilter } from '#src/operations/schemas/change.ts'
import { readUndoPlan, writeUndo } from '#src/operations/changes/undo-steps.ts'
import { Reply } from '#src/domain/reply.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import { UnknownWords } from '#src/operations/audit/unknown-words.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { DryRun } from '#src/operations/schemas/inputs.ts'
import { UndoResult } from '#src/operations/schemas/answers.ts'

const MAX_CHANGES = 1000
const MAX_ITEMS = 10_000
/** So often an undo is planned without holding the writer; anyone who writes meanwhile may be in its way each time. */
const MAX_TRIES = 2

export const undoChanges = defineOperation({
  name: 'undoChanges',
  summary:
    'Take changes back, newest first, in one transaction: all that they did, where it is still as they left it.',
  description:
    'Takes exactly one of `change_ids` and `filter`. What has been changed since is a conflict: with ' +
    '`on_conflict: "refuse"` (default) nothing is undone and all conflicts are listed, with "skip" the rest is undone. ' +
    'A dry run reports them too. The undo is a change itself and can be undone. A purge cannot be undone. A warning ' +
    'names a source or an account that does not exist.',
  tool_description:
    '`change_ids` or `filter`. What has changed since is a conflict. An undo can be undone; a purge cannot.',
  access: 'user',
  for_proposers: 'refused',
  effect: 'compose',
  rest: 'POST /api/changes/undo',
  tool: 'undo_changes',
  hints: { destructive: true },
  input: Type.Object(
    {
      change_ids: Type.Optional(
        Type.Array(Type.String({ maxLength: 100 }), {
          minItems: 1,
          maxItems: MAX_CHANGES,
          description: 'Ids of changes, in any order',
        }),
      ),
      filter: Type.Optional(
        Type.Object(
          { after_time: AfterTime, ...changeFilter },
          {
            additionalProperties: false,
            description: 'All changes that satisfy it and are not undone yet',
            inTools: 'after_time, before_time, user_id, source, client_id, item_ids: all not undone yet',
            brief: true,
          },
        ),
      ),
      only_item_ids: Type.Optional(
        Type.Array(Type.String({ maxLength: 100 }), {
          minItems: 1,
          maxItems: MAX_ITEMS,
          description:
            'Only what was done to these items; a change counts as undone when all of it is taken back',
          inTools: 'Of these',
        }),
      ),
      dry_run: Type.Optional(DryRun),
      on_conflict: Type.Optional(
        Type.Union([Type.Literal('refuse'), Type.Literal('skip')], {
          description:
            'With conflicts: nothing is undone and all are listed (refuse, the default), or the rest is undone',
          inTools: 'Undo nothing (default), or the rest',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: UndoResult,
  errors: ['NotFound', 'Conflict'],
  example: { input: { change_ids: ['01JJXZ5T7GQ3M8K4B9R2C6D0CH'], dry_run: true } },
  async run({ text }, { change_ids, filter, only_item_ids, dry_run = false, on_conflict = 'refuse' }) {
    const input = { change_ids, filter, only_item_ids }
    const unknown = new UnknownWords()
    unknown.checkSource(filter?.source, 'filter.source')
    unknown.checkId('filter.user_id', filter?.user_id, 'account')
    const warned = ({ body, meta }: Reply) => new Reply(body, { ...meta, warnings: unknown.warnings })
    for (let tries = 0; ; tries++) {
      const read = await text(readUndoPlan, { ...input, dry_run })
      if (dry_run) return warned(read)
      const here = tries === MAX_TRIES
      const written = await text(writeUndo, { ...input, on_conflict, read: read.json, here })
      if (!rollbackReason(written)) return warned(written)
    }
  },
})
