import { ServiceError, type Problem } from '#src/domain/errors.ts'

/** Ids of one kind that were given, and those of them that are deleted. */
export type Wanted = [
  property: string,
  kind: string,
  wanted: Set<string> | undefined,
  found: ReadonlySet<string>,
]

/** @throws NotFound with every id of nothing that is deleted; `verb` is what was to be done with them */
export function checkAllFound(lists: readonly Wanted[], verb: 'purged' | 'restored'): void {
  const problems = lists.flatMap(([property, kind, wanted = new Set<string>(), found]) =>
    [...wanted].flatMap((id, i): Problem[] =>
      found.has(id)
        ? []
        : [
            {
              path: `${property}[${i}]`,
              message: `no deleted ${kind} has the id ${kind === 'tag' ? 'or name ' : ''}'${id}'`,
            },
          ],
    ),
  )
  const [first] = problems
  if (first)
    throw new ServiceError('NotFound', `${first.path}: ${first.message}`, {
      suggestion: `Only what is deleted can be ${verb}; GET /api/items/deleted (list_deleted_items) shows what is`,
      details: { errors: problems },
    })
}
