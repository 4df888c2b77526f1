import { parseUlid, type Ulid } from '#src/domain/ulid.ts'

const IN_TEXT = /\/api\/files\/([0-9a-z]{26})(?![0-9a-z])/gi
const IN_JSON = /"file_id": ?"([0-9a-z]{26})"/gi
/** Nearly every text has neither, and that is quickly seen. */
const MARK = '/api/files/'

/** Files that a text shows, as a description does. */
export function filesInText(text: string, found: Set<Ulid> = new Set()): Set<Ulid> {
  if (text.includes(MARK)) addAll(text, IN_TEXT, found)
  return found
}

/** Files that are anywhere in a value, or in details of an event: as values of a File, or shown by a text. */
export function filesIn(value: unknown, found: Set<Ulid> = new Set()): Set<Ulid> {
  if (typeof value === 'string') return filesInText(value, found)
  if (typeof value !== 'object' || value === null) return found
  if (Array.isArray(value)) {
    for (const each of value) filesIn(each, found)
    return found
  }
  for (const [key, each] of Object.entries(value)) {
    const file_id = key === 'file_id' && typeof each === 'string' ? parseUlid(each) : null
    if (file_id === null) filesIn(each, found)
    else found.add(file_id)
  }
  return found
}

/** The same of JSON text. */
export function filesInJson(json: string): Set<Ulid> {
  const found = filesInText(json)
  if (json.includes('"file_id"')) addAll(json, IN_JSON, found)
  return found
}

function addAll(text: string, pattern: RegExp, found: Set<Ulid>): void {
  for (const [, id] of text.matchAll(pattern)) {
    const file_id = parseUlid(id!)
    if (file_id !== null) found.add(file_id)
  }
}
