/** What Notion puts behind the name of a page or database: its id. `_all`: with the rows that the view does not show. */
const NAMED = /^(?:(.*) )?([0-9a-f]{32})(_all)?\.(?:md|csv)$/i
const ID_BEHIND = / [0-9a-f]{32}$/i
/** An id in an address, of a page in the export or at Notion. */
const LINKED_ID = /([0-9a-f]{32})(?:_all)?(?:\.(?:md|csv))?(?:[?#].*)?$/i

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Of a page or a database; undefined where its name has none. */
export const idOf = (path: string): string | undefined => NAMED.exec(baseName(path))?.[2]?.toLowerCase()

/** As it is called in Notion, as far as the file's name says it. */
export function titleOf(path: string): string {
  const base = baseName(path)
  const named = NAMED.exec(base)
  return (named ? (named[1] ?? '') : base.replace(/(?:_all)?\.[^.]+$/, '')).trim() || 'Untitled'
}

/** The id of the page that an address means. */
export const linkedId = (address: string): string | undefined => LINKED_ID.exec(address)?.[1]?.toLowerCase()

/** Folders have the id in older exports, and none since 2024. */
export const withoutId = (folder: string): string => folder.replace(ID_BEHIND, '')
