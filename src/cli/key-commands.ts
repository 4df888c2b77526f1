import { Type } from 'typebox'
import { MAX_NAME } from '#src/domain/names.ts'
import { newKey, prefixOf } from '#src/auth/api-key.ts'
import { hashToken } from '#src/auth/session.ts'
import { printWarnings } from '#src/cli/command.ts'
import type { Store } from '#src/cli/open-store.ts'
import { SCOPES } from '#src/domain/caller.ts'
import { badRequest } from '#src/domain/errors.ts'
import { parseExactJson } from '#src/json/exact-json.ts'
import { JsonSyntaxError } from '#src/json/json-scanner.ts'
import type { GivenLimit } from '#src/operations/account/kept-limit.ts'
import { Limit } from '#src/operations/account/key/key-schemas.ts'
import { addKey } from '#src/operations/account/key/key-steps.ts'
import { validateInput } from '#src/runtime/validate-input.ts'

export interface KeyOptions {
  json?: boolean | undefined
  user?: string | undefined
  scope?: string | undefined
  name?: string | undefined
  'expires-in-days'?: string | undefined
  limit?: string | undefined
}

const MAX_DAYS = 3650
const USE = 'key create --user EMAIL --scope read --name NAME'

/** What the commands run on the database. */
export const KEY_STEPS = [addKey]

/** What the words after `key` ask for; it is done when it is given the database. @throws BadRequest */
export function readKeyCommand(
  [command, ...rest]: readonly string[],
  { json, user, scope: given, name, 'expires-in-days': days, limit: part }: KeyOptions,
): (store: Store) => Promise<string> {
  if (command !== 'create' || rest.length)
    throw badRequest(
      command === 'create' ? `key create does not take '${rest[0]}'` : 'key needs the command create',
      {
        suggestion: USE,
      },
    )
  const scope = SCOPES.find((each) => each === given)
  if (given !== undefined && !scope)
    throw badRequest(`There is no scope '${given}'`, { suggestion: `--scope is one of ${SCOPES.join(', ')}` })
  if (user === undefined || name === undefined || !name.trim() || name.length > MAX_NAME || !scope)
    throw badRequest('key create needs --user, --scope read, propose or write, and --name', {
      suggestion: USE,
    })
  const expires_in_days = days === undefined ? null : daysOf(days)
  return async (store) => {
    const limit = part === undefined ? undefined : await limitOf(part)
    const key = newKey()
    const kept = {
      name,
      scope,
      expires_in_days,
      prefix: prefixOf(key),
      key_hash: hashToken(key),
      who: user,
      limit,
    }
    const { json: made, meta } = await store.read(addKey, kept)
    printWarnings(meta)
    return json ? JSON.stringify({ ...JSON.parse(made), key }, null, 2) : key
  }
}

/** As POST /api/keys takes it. */
async function limitOf(text: string): Promise<GivenLimit> {
  let limit: unknown
  try {
    limit = parseExactJson(text, { what: '--limit' })
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw badRequest(error.message, { suggestion: `--limit '{"tag_ids": ["Invoice"]}'` })
  }
  return (await validateInput({ input: Type.Object({ limit: Limit }) }, { limit }))['limit'] as GivenLimit
}

function daysOf(text: string): number {
  const days = Number(text)
  if (!/^\d+$/.test(text) || days < 1 || days > MAX_DAYS)
    throw badRequest(`--expires-in-days takes a number from 1 to ${MAX_DAYS}, got '${text}'`)
  return days
}
