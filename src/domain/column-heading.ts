import { foldInSlices } from '#src/domain/decompose.ts'

/** Headings and fields are compared without case, accents, blanks and what joins words. */
export const foldHeading = (text: string): string =>
  foldInSlices(text, (slice) => slice.replaceAll(/[\u0300-\u036f\s_.-]/g, '').toLowerCase())

/** What a heading of an export says, `<Tag>.<field>`: a tag may have dots in its name, a field has none. Null: no such heading. */
export function exportedField(heading: string): { tag: string; field: string } | null {
  if (heading.includes('->')) return null
  const dot = heading.lastIndexOf('.')
  if (dot < 1 || dot === heading.length - 1) return null
  return { tag: heading.slice(0, dot), field: heading.slice(dot + 1) }
}

/** The only tag whose fields a file exported from a base has; null where it is of several, or no such file. */
export function exportedTag(headings: readonly string[]): string | null {
  if (!headings.includes('item_id') || !headings.includes('name')) return null
  const tags = new Set(headings.flatMap((each) => exportedField(each)?.tag ?? []))
  return tags.size === 1 ? [...tags][0]! : null
}

/** What an export says of an item besides its name, its text and its fields. */
const BESIDES = new Set(['tags', 'created_at', 'updated_at', 'references', 'snippet'])

/** Whether a heading of an export is of what no column of a file can set: also what a path over a reference leads to. */
export const isTold = (heading: string): boolean => BESIDES.has(heading) || /^[^>]*\.[^>]*->/.test(heading)

/** The field of a tag that a heading of an export names; null where it names none of that tag. */
export function ownField(heading: string, tag: { name: string; tag_id?: string | null }): string | null {
  const exported = exportedField(heading)
  return exported && (exported.tag === tag.name || exported.tag === tag.tag_id) ? exported.field : null
}
