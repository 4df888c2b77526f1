import { addressGroup } from '#src/auth/client-address.ts'
import { tooManyRequests } from '#src/domain/errors.ts'
import { defineStep } from '#src/runtime/step.ts'
import {
  clientMetadata,
  countClients,
  insertClient,
  registrationsFrom,
} from '#src/storage/accounts/app-clients.ts'
import {
  consumeRecord,
  consumeSuccessors,
  deleteRecord,
  findRecord,
  keepRecord,
  successorIsUsed,
} from '#src/storage/accounts/app-records.ts'
import { consentOfApp, insertConsent } from '#src/storage/accounts/apps.ts'

interface KeptRecord {
  kind: string
  id_hash: string
  app_id: string | null
  payload: string
  rotation: number | null
  /** Seconds. */
  life: number
}

/** Keeps a code, a token, or a request that waits for a consent. */
export const keepAppRecord = defineStep({
  name: 'keepAppRecord',
  effect: 'write',
  async run({ db, now }, { life, ...record }: KeptRecord): Promise<null> {
    const expires_at = new Date(now.getTime() + life * 1000).toISOString()
    await keepRecord(db, { ...record, consumed_at: null, expires_at, address: null })
    return null
  },
})

/** Milliseconds in which a refresh token may come again, because the answer to it was lost. */
const GRACE = 10_000

export interface FoundRecord {
  payload: string
  consumed: boolean
}

/** What was kept under an id, unless its time is over. */
export const findAppRecord = defineStep({
  name: 'findAppRecord',
  effect: 'read',
  inline: true,
  async run({ db, now }, { kind, id_hash }: { kind: string; id_hash: string }): Promise<FoundRecord | null> {
    const found = await findRecord(db, { kind, id_hash }, now)
    if (!found) return null
    const { payload, consumed_at, app_id, rotation } = found
    if (consumed_at === null) return { payload, consumed: false }
    const lost =
      rotation !== null &&
      app_id !== null &&
      Date.parse(consumed_at) >= now.getTime() - GRACE &&
      !(await successorIsUsed(db, kind, app_id, rotation))
    return { payload, consumed: !lost }
  },
})

/**
 * Uses up a code or a refresh token; false: it was before. A refresh token that comes again in its grace takes the place
 * of the successor that nobody received (decision 67).
 */
export const useAppRecord = defineStep({
  name: 'useAppRecord',
  effect: 'write',
  async run({ db, now }, key: { kind: string; id_hash: string }): Promise<boolean> {
    if (await consumeRecord(db, key, now)) return true
    const found = await findRecord(db, key, now)
    if (found?.app_id && found.rotation !== null) {
      await consumeSuccessors(db, key.kind, found.app_id, found.rotation)
      return true
    }
    return false
  },
})

/** Forgets what was kept under an id. */
export const dropAppRecord = defineStep({
  name: 'dropAppRecord',
  effect: 'write',
  async run({ db }, key: { kind: string; id_hash: string }): Promise<null> {
    await deleteRecord(db, key)
    return null
  },
})

/** Keeps what an app was granted, as the authorization server writes it. */
export const keepConsent = defineStep({
  name: 'keepConsent',
  effect: 'write',
  async run({ db }, { app_id, consent }: { app_id: string; consent: string }): Promise<null> {
    await insertConsent(db, app_id, consent)
    return null
  },
})

/** What an app was granted; null: it is gone. */
export const findConsent = defineStep({
  name: 'findConsent',
  effect: 'read',
  inline: true,
  async run({ db }, { app_id }: { app_id: string }): Promise<string | null> {
    return consentOfApp(db, app_id)
  },
})

/** Keeps a client that registered itself, or that an operator made. */
export const addAppClient = defineStep({
  name: 'addAppClient',
  effect: 'write',
  async run(
    { db, caller, now },
    { client_id, metadata }: { client_id: string; metadata: string },
  ): Promise<null> {
    const address = caller.client?.kind === 'cli' ? null : addressGroup(caller.address)
    await insertClient(db, { client_id, metadata, address, created_at: now.toISOString() })
    return null
  },
})

/** How a client registered, as JSON text; null: it did not. */
export const findAppClient = defineStep({
  name: 'findAppClient',
  effect: 'read',
  inline: true,
  async run({ db }, { client_id }: { client_id: string }): Promise<string | null> {
    return clientMetadata(db, client_id)
  },
})

const HOUR = 60 * 60 * 1000
/** From one address (IPv6: one /64) in an hour. */
const MAX_FROM_ADDRESS = 50
/** In all, until those that nobody let in are swept. */
const MAX_CLIENTS = 10_000

/** @throws TooManyRequests where another client may not register now */
export const checkRegistrations = defineStep({
  name: 'checkRegistrations',
  effect: 'read',
  async run({ db, caller, now }): Promise<null> {
    const since = new Date(now.getTime() - HOUR).toISOString()
    const recent = await registrationsFrom(db, addressGroup(caller.address), since)
    const oldest = recent[MAX_FROM_ADDRESS - 1]
    if (oldest !== undefined)
      throw tooManyRequests(
        `At most ${MAX_FROM_ADDRESS} apps an hour may register from one address`,
        Math.max(1, Math.ceil((Date.parse(oldest) + HOUR - now.getTime()) / 1000)),
      )
    if ((await countClients(db)) >= MAX_CLIENTS)
      throw tooManyRequests('Too many apps have registered and are not used', HOUR / 1000)
    return null
  },
})
