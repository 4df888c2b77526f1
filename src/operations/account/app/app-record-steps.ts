import { addressGroup, networksOf } from '#src/auth/client-address.ts'
import { tooManyRequests } from '#src/domain/errors.ts'
import { defineStep } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import {
  clientMetadata,
  countClients,
  deleteUnusedClients,
  insertClient,
  registrationsFrom,
} from '#src/storage/accounts/app-clients.ts'
import {
  type AppRecord,
  consumeRecord,
  deleteRecord,
  findRecord,
  keepRecord,
  lastUse,
  limitRecords,
  recordsFrom,
  REPLACED,
  replaceSuccessors,
  successorIsUsed,
  useReplaced,
} from '#src/storage/accounts/app-records.ts'
import { consentOfApp, hasApps, insertConsent } from '#src/storage/accounts/apps.ts'

interface KeptRecord {
  kind: string
  id_hash: string
  app_id: string | null
  payload: string
  rotation: number | null
  /** Seconds. */
  life: number
}

/**
 * Keeps a code, a token, or a request that waits for a consent. Of the refresh tokens that were given in the place of one,
 * only the last lives; false: one of them has been used meanwhile, so that no other may follow (decision 67).
 */
export const keepAppRecord = defineStep({
  name: 'keepAppRecord',
  effect: 'write',
  async run({ db, caller, now }, { life, ...record }: KeptRecord): Promise<boolean> {
    const { kind, app_id, rotation } = record
    if (app_id !== null && rotation) {
      const before = { kind, app_id, rotation: rotation - 1 }
      if (await successorIsUsed(db, before)) return false
      await replaceSuccessors(db, before)
    }
    const expires_at = new Date(now.getTime() + life * 1000).toISOString()
    const waits = record.kind === WAITING
    if (waits) await limitRecords(db, WAITING, MAX_WAITING - 1)
    const address = waits ? addressGroup(caller.address) : null
    await keepRecord(db, { ...record, consumed_at: null, expires_at, address })
    return true
  },
})

/** A request that waits for a person (the library's name of it). */
const WAITING = 'Interaction'
/** In all; a new one takes the place of the oldest. */
const MAX_WAITING = 2000
/** From one address (IPv6: one /64); of networks a multiple. */
const MAX_WAITING_FROM_ADDRESS = 100

/** @throws TooManyRequests where too many requests of apps from one network wait for a person */
export const checkWaiting = defineStep({
  name: 'checkWaiting',
  effect: 'read',
  async run({ db, caller, now }): Promise<null> {
    for (const network of networksOf(addressGroup(caller.address))) {
      const max = MAX_WAITING_FROM_ADDRESS * network.share
      const last = (await recordsFrom(db, WAITING, network, now))[max - 1]
      if (last !== undefined)
        throw tooManyRequests(
          `At most ${max} requests of apps from one network wait for an answer`,
          Math.max(1, Math.ceil((Date.parse(last) - now.getTime()) / 1000)),
        )
    }
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
    const { payload, consumed_at } = found
    return { payload, consumed: consumed_at !== null && !(await mayComeAgain(db, found, now)) }
  },
})

/**
 * Whether a used refresh token is in its grace. One that was replaced by another, given for the same token at the same
 * time, is in the grace of that token, until one of them is used.
 */
async function mayComeAgain(
  db: Db,
  { kind, app_id, rotation, consumed_at }: AppRecord,
  now: Date,
): Promise<boolean> {
  if (app_id === null || rotation === null) return false
  const isReplaced = consumed_at === REPLACED
  const given = { kind, app_id, rotation: isReplaced ? rotation - 1 : rotation }
  const used_at = isReplaced ? await lastUse(db, given) : consumed_at
  if (used_at === null || Date.parse(used_at) < now.getTime() - GRACE) return false
  return !(await successorIsUsed(db, given))
}

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
    // Another may have used it, or what followed it, since it was looked up.
    if (!found || !(await mayComeAgain(db, found, now))) return false
    await useReplaced(db, key, now)
    await replaceSuccessors(db, { kind: key.kind, app_id: found.app_id!, rotation: found.rotation! - 1 })
    return true
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
    const excess = address === null ? 0 : (await countClients(db)) - MAX_CLIENTS + 1
    // Those that no person has let in make room, oldest first.
    if (excess > 0) await deleteUnusedClients(db, now.toISOString(), excess)
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

/** Whether a client acts for somebody already. */
export const isClientLetIn = defineStep({
  name: 'isClientLetIn',
  effect: 'read',
  inline: true,
  run: ({ db }, { client_id }: { client_id: string }): Promise<boolean> => hasApps(db, client_id),
})

const HOUR = 60 * 60 * 1000
/** From one address (IPv6: one /64) in an hour; of networks a multiple. */
const MAX_FROM_ADDRESS = 50
/** In all; those that nobody let in make room. */
const MAX_CLIENTS = 10_000

/** @throws TooManyRequests where another client may not register now */
export const checkRegistrations = defineStep({
  name: 'checkRegistrations',
  effect: 'read',
  async run({ db, caller, now }): Promise<null> {
    const since = new Date(now.getTime() - HOUR).toISOString()
    for (const network of networksOf(addressGroup(caller.address))) {
      const max = MAX_FROM_ADDRESS * network.share
      const oldest = (await registrationsFrom(db, network, since))[max - 1]
      if (oldest !== undefined)
        throw tooManyRequests(
          `At most ${max} apps an hour may register from one ${network.share === 1 ? 'address' : 'network'}`,
          Math.max(1, Math.ceil((Date.parse(oldest) + HOUR - now.getTime()) / 1000)),
        )
    }
    return null
  },
})
