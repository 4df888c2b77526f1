import { badRequest } from '#src/domain/errors.ts'

const MAX_NAME = 1000
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** What is wrong with the name of a file; undefined: nothing. */
export function faultOfName(name: string): string | undefined {
  if (!name.isWellFormed() || CONTROL.test(name)) return 'must have no control characters'
  if (Array.from(name).length > MAX_NAME) return `must have at most ${MAX_NAME} characters`
  return name.trim() === '' ? 'must not be blank' : undefined
}

/** A name as it is kept: what stands before the last `/` or `\` is a folder of whoever sends it. */
export const withoutFolders = (name: string): string => name.replace(/^.*[/\\]/su, '')

/** @throws BadRequest */
export function fileName(given: string): string {
  const name = withoutFolders(given)
  const fault = faultOfName(name)
  if (fault) throw badRequest(`name: ${fault}`, { details: { errors: [{ path: 'name', message: fault }] } })
  return name
}
