import { faultOfName, withoutFolders } from '#src/domain/file-name.ts'
import { MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'

/** An element of a File as it is stored and read. */
export interface FileElement {
  file_id: Ulid
  name: string
  size: number
  type: string
}

/** What is known of the files that values may name: those that the caller may read. */
export type KnownFiles = ReadonlyMap<Ulid, FileElement>

/** Elements of a File. */
export const MAX_FILES = 100
const KEYS = ['file_id', 'name', 'size', 'type']

/** What is wrong with a value of a File; whether there are such files is another question. */
export function faultsOfFiles(value: unknown, path: string): Problem[] {
  if (!Array.isArray(value)) return [{ path, message: 'expected an array of {"file_id", "name"?}' }]
  if (value.length > MAX_FILES)
    return [{ path, message: `expected at most ${MAX_FILES} files, not ${value.length}` }]
  const seen = new Set<Ulid>()
  const problems: Problem[] = []
  for (const [i, each] of value.entries()) {
    if (problems.length > MAX_PROBLEMS) break
    problems.push(...faultsOfElement(each, `${path}[${i}]`, seen))
  }
  return problems
}

function faultsOfElement(element: unknown, path: string, seen: Set<Ulid>): Problem[] {
  const file_id = isRecord(element) ? idOf(element) : null
  if (file_id === null)
    return [{ path, message: 'expected {"file_id", "name"?} of a file that was uploaded' }]
  const { name = null, ...others } = element as Record<string, unknown>
  const problems: Problem[] = Object.keys(others)
    .filter((key) => !KEYS.includes(key))
    .map((key) => ({ path: `${path}.${key}`, message: 'unknown property; a file has file_id and name' }))
  if (seen.has(file_id)) problems.push({ path, message: `the file '${file_id}' appears here twice` })
  seen.add(file_id)
  const fault =
    typeof name === 'string'
      ? faultOfName(withoutFolders(name))
      : name === null
        ? undefined
        : 'expected a string'
  if (fault) problems.push({ path: `${path}.name`, message: fault })
  return problems
}

/** The id of an element, whatever else is in it. */
export function fileIdOf(element: unknown): Ulid | null {
  return isRecord(element) ? idOf(element) : null
}

const idOf = ({ file_id }: Record<string, unknown>): Ulid | null =>
  typeof file_id === 'string' ? parseUlid(file_id) : null

/**
 * A right value as it is stored. What was there before is known, also where the file has gone since; without `files`
 * nothing is looked up.
 */
export function completeFiles(
  value: readonly unknown[],
  stored: unknown,
  files: KnownFiles | undefined,
  path: string,
): { value: unknown; problems: Problem[] } {
  if (!files) return { value, problems: [] }
  const before = new Map(elementsOf(stored).map((each) => [each.file_id, each]))
  const problems: Problem[] = []
  const complete = value.map((each, i) => {
    const file_id = fileIdOf(each)!
    const known = files.get(file_id) ?? before.get(file_id)
    if (!known) problems.push({ path: `${path}[${i}]`, message: `file '${file_id}' not found` })
    const { name } = each as { name?: string | null }
    const { size = 0, type = '' } = known ?? {}
    return { file_id, name: name == null ? (known?.name ?? '') : withoutFolders(name), size, type }
  })
  return { value: complete, problems }
}

/** Those elements of a stored value that are files. */
export function elementsOf(stored: unknown): FileElement[] {
  return Array.isArray(stored)
    ? stored.filter((each): each is FileElement => fileIdOf(each) !== null && typeof each.name === 'string')
    : []
}

/** Files that a value of a File, or an edit of one, names. */
export function* fileIdsIn(given: unknown): Generator<Ulid> {
  const list: unknown = isRecord(given) ? given.add : given
  if (!Array.isArray(list)) return
  for (const each of list.slice(0, MAX_FILES)) {
    const file_id = fileIdOf(each)
    if (file_id !== null) yield file_id
  }
}
