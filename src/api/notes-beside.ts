import type { Notes } from '#src/domain/reply.ts'

/** What REST says in headers, as a second JSON text beside a tool's result; undefined where there is nothing to say. */
export function notesBeside({ warnings, total, next }: Notes = {}): string | undefined {
  const beside = {
    ...(warnings?.length && { warnings }),
    ...(total !== undefined && { total }),
    // The arguments to add for the following page.
    ...(next !== undefined && { next: { after: next } }),
  }
  return Object.keys(beside).length ? JSON.stringify(beside) : undefined
}
