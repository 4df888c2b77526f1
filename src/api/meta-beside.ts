import type { ReplyMeta } from '#src/domain/reply.ts'

/** What REST says in headers, as a second JSON text beside a tool's result; undefined where there is nothing to say. */
export function metaBeside(meta: ReplyMeta = {}): string | undefined {
  const { warnings, hints, nearest, total, next, next_in = 'after', change_id } = meta
  const beside = {
    ...(warnings?.length && { warnings }),
    ...(hints?.length && { hints }),
    ...(nearest?.length && { nearest }),
    ...(total !== undefined && { total }),
    ...(change_id !== undefined && { change_id }),
    ...(meta.status === 202 && {
      note: 'Nothing has changed yet: a person decides. list_proposals says what became of it',
    }),
    // The arguments to add for the following page.
    ...(next !== undefined && { next: { [next_in]: next } }),
  }
  return Object.keys(beside).length ? JSON.stringify(beside) : undefined
}
