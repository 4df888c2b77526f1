import { composed } from '#src/domain/decompose.ts'
import { fold } from '#src/domain/fold.ts'
import type { Ulid } from '#src/domain/ulid.ts'

/** What a file system or a link between notes does not take. */
const UNSAFE = /[\\/:*?"<>|#^[\]\p{Cc}\p{Cs}\u2028\u2029]+/gu
/** Names of devices on Windows, and of what macOS puts into zips. */
const OF_SYSTEMS = /^(?:con|prn|aux|nul|com\d|lpt\d|__macosx)(?:\.|$)/i
const ENDS_WITH_ID = / [0-7][0-9A-HJKMNP-TV-Z]{25}$/
const MAX_LENGTH = 100

/** A name as that of a file or folder on any system. */
export function safeName(name: string): string {
  const safe = composed(name)
    .replaceAll(UNSAFE, ' ')
    .replaceAll(/\s+/gu, ' ')
    .slice(0, MAX_LENGTH)
    .toWellFormed()
    .replace(/^[\s.]+/u, '')
    .replace(/[\s.\ufffd]+$/u, '')
  if (!safe) return 'Untitled'
  return OF_SYSTEMS.test(safe) ? `${safe}_` : safe
}

/** What would be another file: a link to `[[Plan.md]]` leads to the note `Plan`, and `facet.json` has what is Facet's. */
const OF_OTHERS = /^facet\.json$|\.(?:md|markdown)$/i

/** A name as that of a note, without its ending, or of a folder of notes. */
export function noteName(name: string): string {
  const safe = safeName(name)
  return OF_OTHERS.test(safe) ? `${safe}_` : safe
}

/** A file name that no other item has. */
export const nameWithId = (name: string, item_id: Ulid): string => `${safeName(name)} ${item_id}`

/** Equal for names that are one on some file system; undefined where the name could be taken for one with an id. */
export function nameKey(name: string): string | undefined {
  const safe = noteName(name)
  return ENDS_WITH_ID.test(safe) ? undefined : fold(safe)
}
