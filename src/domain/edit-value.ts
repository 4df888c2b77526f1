import { CHECKS, MAX_REFERENCES } from '#src/domain/check-value.ts'
import {
  completeFiles,
  faultsOfFiles,
  fileIdOf,
  type KnownFiles,
  MAX_FILES,
} from '#src/domain/file-values.ts'
import { MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import { type FlatField, isMany } from '#src/domain/field-schema.ts'

/** Characters that a text may grow to by `append`. */
const MAX_APPENDED = 1024 * 1024

/**
 * A change of a value in place of a value (additions §12), where values are merged: `{"add", "remove"}` for several
 * values, `{"append"}` for a String. No stored value of these types is an object.
 */
export const isEdit = (field: FlatField | undefined, value: unknown): value is Record<string, unknown> =>
  field !== undefined &&
  (isMany(field.type) || field.type === 'String') &&
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value)

export interface EditedValue {
  problems: Problem[]
  value: unknown
}

/** What the stored value becomes. What stays of it is not looked at, only what comes is. */
export function editValue(
  field: FlatField,
  edit: Record<string, unknown>,
  stored: unknown,
  { path, files }: { path: string; files?: KnownFiles | undefined },
): EditedValue {
  const known = isMany(field.type) ? ['add', 'remove'] : ['append']
  const unknown = Object.keys(edit).filter((key) => !known.includes(key))
  const shape = isMany(field.type)
    ? 'an array, or {"add": [...], "remove": [...]}'
    : 'a string, or {"append": "text"}'
  if (unknown.length || !Object.keys(edit).length) return fault(path, `expected ${shape}`)
  if (field.type === 'File') return editFiles(edit, stored, path, files)
  return isMany(field.type) ? editList(field, edit, stored, path) : append(edit.append, stored, path)
}

function append(text: unknown, stored: unknown, path: string): EditedValue {
  if (typeof text !== 'string') return fault(`${path}.append`, 'expected a string')
  if (stored !== null && typeof stored !== 'string')
    return fault(`${path}.append`, 'the stored value is no text; give the whole value')
  const value = (stored ?? '') + text
  return value.length > MAX_APPENDED
    ? fault(`${path}.append`, `the text would have more than ${MAX_APPENDED} characters`)
    : { problems: [], value }
}

function editList(
  field: FlatField,
  { add = [], remove = [] }: Record<string, unknown>,
  stored: unknown,
  path: string,
): EditedValue {
  const problems: Problem[] = []
  if (!isListOfTexts(remove))
    problems.push({ path: `${path}.remove`, message: 'expected an array of strings' })
  problems.push(...CHECKS[field.type](add, field, `${path}.add`))
  if (problems.length) return { problems, value: stored }

  const same = field.type === 'MultiReference' ? (text: string) => text.toUpperCase() : (text: string) => text
  const [added, removed] = [(add as string[]).map(same), new Set((remove as string[]).map(same))]
  for (const [i, each] of added.entries())
    if (removed.has(each) && problems.length < MAX_PROBLEMS)
      problems.push({ path: `${path}.add[${i}]`, message: `'${each}' is in 'remove' too` })
  const before: unknown[] = Array.isArray(stored) ? stored : []
  const kept = before.filter((each) => typeof each !== 'string' || !removed.has(same(each)))
  const there = new Set(kept)
  const value = [...kept, ...added.filter((each) => !there.has(each))]
  if (field.type === 'MultiReference' && value.length > MAX_REFERENCES)
    problems.push({ path: `${path}.add`, message: `there would be more than ${MAX_REFERENCES} ids` })
  return { problems, value }
}

function editFiles(
  { add = [], remove = [] }: Record<string, unknown>,
  stored: unknown,
  path: string,
  files: KnownFiles | undefined,
): EditedValue {
  const problems = faultsOfFiles(add, `${path}.add`)
  if (!isListOfTexts(remove))
    problems.push({ path: `${path}.remove`, message: 'expected an array of ids of files' })
  if (problems.length) return { problems, value: stored }
  const completed = completeFiles(add as unknown[], stored, files, `${path}.add`)
  problems.push(...completed.problems)
  const removed = new Set((remove as string[]).map((each) => each.toUpperCase()))
  const added = completed.value as unknown[]
  for (const [i, each] of added.entries())
    if (removed.has(fileIdOf(each)!))
      problems.push({ path: `${path}.add[${i}]`, message: `'${fileIdOf(each)}' is in 'remove' too` })
  const before: unknown[] = Array.isArray(stored) ? stored : []
  const kept = before.filter((each) => !removed.has(fileIdOf(each) ?? ''))
  const there = new Set(kept.map(fileIdOf))
  const value = [...kept, ...added.filter((each) => !there.has(fileIdOf(each)))]
  if (value.length > MAX_FILES)
    problems.push({ path: `${path}.add`, message: `there would be more than ${MAX_FILES} files` })
  return { problems, value }
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const fault = (path: string, message: string): EditedValue => ({
  problems: [{ path, message }],
  value: undefined,
})
