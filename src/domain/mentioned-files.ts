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

type Values = Readonly<Record<string, unknown>>

/** Files that the one values name and the others, field by field, do not. */
export function filesAdded(after: Values, before: Values, found: Set<Ulid> = new Set()): Set<Ulid> {
  for (const [field, value] of Object.entries(after)) {
    const named = filesIn({ [field]: value })
    const known = named.size ? filesIn({ [field]: before[field] }) : named
    for (const file_id of named) if (!known.has(file_id)) found.add(file_id)
  }
  return found
}

/** What of the details of an event says what it brings: EventDetails has all of it. */
interface Bringing {
  name?: unknown
  description?: unknown
  tags?: readonly { initial_values?: unknown }[]
  initial_values?: unknown
  old_values?: Values
  new_values?: Values
}

/**
 * Files that an event brings to its item: what is named from then on in a place that did not name it before. What is
 * taken away or left as it is brings none, nor do names that the event only tells.
 */
export function filesBrought(event_type: string, details: object | string): Set<Ulid> {
  if (typeof details === 'string') {
    const found = filesInJson(details)
    return found.size ? filesBrought(event_type, JSON.parse(details) as object) : found
  }
  const { name, description, tags = [], initial_values, old_values = {}, new_values = {} }: Bringing = details
  const found = filesAdded(new_values, old_values)
  if (event_type === 'item_created')
    filesIn([name, description, tags.map((each) => each.initial_values)], found)
  return filesIn(initial_values, found)
}

/** As `filesIn`, of JSON text. */
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
