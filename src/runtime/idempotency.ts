import { createHash } from 'node:crypto'
import { type Caller, userOf } from '#src/domain/caller.ts'
import { conflict, invalid, ServiceError, unprocessable } from '#src/domain/errors.ts'
import type { StoredAnswer, KeyedRequest } from '#src/domain/idempotency.ts'
import { Reply } from '#src/domain/reply.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import type { Engine } from '#src/engine/engine.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { findStoredAnswer, holdKey, storeAnswer, keyName } from '#src/storage/idempotency/stored-answers.ts'

/** Printable ASCII. */
const KEY = /^[\x20-\x7e]{1,255}$/

/** @throws BadRequest */
export function checkKey(key: unknown, path: string): string {
  if (typeof key === 'string' && KEY.test(key)) return key
  throw invalid([{ path, message: 'expected 1 to 255 printable ASCII characters' }])
}

/** No key of a request has it. */
const BEHIND_CLIENT = '\u001f'

/** Whose key it is: each key and app of an account has answers of its own (further). */
const ownKey = ({ client }: Caller, key: string): string =>
  client && client.kind !== 'session' ? `${client.id}${BEHIND_CLIENT}${key}` : key

const shownKey = (key: string): string => key.slice(key.indexOf(BEHIND_CLIENT) + 1)

/** The request is known by what it asks for, so that blanks and the order of headers do not count. */
export const keyedRequest = (
  caller: Caller,
  key: string,
  operation: string,
  input: unknown,
): KeyedRequest => ({
  key: ownKey(caller, key),
  request_hash: createHash('sha256')
    .update(`${operation} ${JSON.stringify(input)}`)
    .digest('hex'),
})

/** What the caller could mend, or must ask for again, is not kept (additions §5). */
export const isStored = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.code === 'NotFound' || error.code === 'Conflict')

/** A kept answer, as if it were given now. */
export function replay(answer: StoredAnswer): Reply {
  if ('json' in answer) return new Reply(answer.json, { ...answer.notes, replayed: true })
  const { code, message, suggestion, details } = answer.error
  const error = new ServiceError(code, message, {
    ...(suggestion !== undefined && { suggestion }),
    ...(details && { details }),
  })
  error.replayed = true
  throw error
}

/**
 * Carries out a change once: what was answered to the same request under its key is answered again.
 * @throws UnprocessableEntity where the key belongs to another request
 */
export async function once(
  { db, caller, now }: SqlContext,
  request: KeyedRequest,
  run: () => Promise<Reply>,
): Promise<Reply> {
  const user_id = userOf(caller)
  await holdKey(db, user_id, request.key)
  const known = await findStoredAnswer(db, user_id, request.key, now)
  if (known) return replay(answerTo(request, known))
  const reply = await run()
  if (rollbackReason(reply)) return reply
  await storeAnswer(db, user_id, request, { json: reply.json, notes: reply.meta }, now)
  return reply
}

/** What was answered to the request before; undefined where nothing was. @throws as `once` */
export async function repeated(
  { db, caller, now }: SqlContext,
  request: KeyedRequest,
): Promise<Reply | undefined> {
  const known = await findStoredAnswer(db, userOf(caller), request.key, now)
  return known && replay(answerTo(request, known))
}

function answerTo(
  { key, request_hash }: KeyedRequest,
  known: { request_hash: string; answer: StoredAnswer },
): StoredAnswer {
  if (known.request_hash === request_hash) return known.answer
  throw unprocessable(`The Idempotency-Key (idempotency_key) '${shownKey(key)}' belongs to another request`, {
    suggestion: 'Take a new key for each request, and the same one only to send the same request again',
  })
}

/** Requests under way in this process. */
const underWay = new Set<string>()

const isUnderWay = () =>
  conflict('A request with this Idempotency-Key (idempotency_key) is still under way', {
    suggestion: 'Wait for its answer, then send it again to have the same',
    details: { retry_after: 1 },
  })

/**
 * Another process holds the key while it writes; where it still waits for its turn, this request does too, and then
 * finds the answer.
 * @throws Conflict while a request with the key is under way
 */
export async function alone<T>(
  engine: Pick<Engine, 'isHeld'>,
  caller: Caller,
  key: string,
  run: () => Promise<T>,
): Promise<T> {
  const name = keyName(userOf(caller), ownKey(caller, key))
  if (underWay.has(name)) throw isUnderWay()
  underWay.add(name)
  try {
    if (await engine.isHeld(name)) throw isUnderWay()
    return await run()
  } finally {
    underWay.delete(name)
  }
}
