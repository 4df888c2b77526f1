import { hash, randomFillSync } from 'node:crypto'
import type { Ulid } from '#src/domain/ulid.ts'
import { canonicalJson, quoted } from '#src/json/canonical-json.ts'
import { type Db, query } from '#src/sql/query.ts'

/** Stands before the first event (additions §6). */
export const BEGINNING = '0'.repeat(64)

/** What the hash of an event is made of, besides that of the event before; `client` is JSON text. */
export interface ChainedEvent {
  event_id: Ulid
  event_type: string
  entity_type: string
  item_id: Ulid | null
  tag_id: Ulid | null
  user_id: Ulid | null
  source: string
  client: string | null
  /** Of an event that is older than changes, its own id. */
  change_id: Ulid
  created_at: string
  details_hash: string
}

const sha256 = (text: string): string => hash('sha256', text)

/** `details` as they are shown. */
export const detailsHash = (details: unknown, salt: string): string =>
  sha256(`{"details":${canonicalJson(details)},"salt":${quoted(salt)}}`)

export function eventHash(previous: string, event: ChainedEvent): string {
  // The canonical form of it, whose names are in this order: written out, for every change pays for it.
  const { change_id, client, created_at, details_hash, entity_type, event_id, event_type } = event
  const { item_id, source, tag_id, user_id } = event
  return sha256(
    `{"change_id":${quoted(change_id)},"client":${canonicalClient(client)},"created_at":${quoted(created_at)},` +
      `"details_hash":${quoted(details_hash)},"entity_type":${quoted(entity_type)},"event_id":${quoted(event_id)},` +
      `"event_type":${quoted(event_type)},"item_id":${orNull(item_id)},"previous":${quoted(previous)},` +
      `"source":${quoted(source)},"tag_id":${orNull(tag_id)},"user_id":${orNull(user_id)}}`,
  )
}

/**
 * The same for many events of one author and change, from what is known to be written plainly: what they share is put
 * together once.
 */
export function chainHasher({ change_id, client, source, user_id }: Author): ChainHasher {
  const begin = `{"change_id":"${change_id}","client":${canonicalClient(client)},"created_at":"`
  const from = `"source":"${source}","tag_id":`
  const end = `,"user_id":${user_id === null ? 'null' : `"${user_id}"`}}`
  return (previous, [event_id, event_type, entity_type, item_id, tag_id], created_at, details_hash) =>
    sha256(
      `${begin}${created_at}","details_hash":"${details_hash}","entity_type":"${entity_type}","event_id":"${event_id}",` +
        `"event_type":"${event_type}","item_id":${item_id === null ? 'null' : `"${item_id}"`},"previous":"${previous}",` +
        `${from}${tag_id === null ? 'null' : `"${tag_id}"`}${end}`,
    )
}

type Author = Pick<ChainedEvent, 'change_id' | 'client' | 'source' | 'user_id'>
type ChainHasher = (
  previous: string,
  event: readonly [
    event_id: Ulid,
    event_type: string,
    entity_type: string,
    item_id: Ulid | null,
    tag_id: Ulid | null,
    ...rest: unknown[],
  ],
  created_at: string,
  details_hash: string,
) => string

const orNull = (text: string | null): string => (text === null ? 'null' : quoted(text))

/** That of the event before is often the same. */
let lastClient: [text: string, canonical: string] = ['null', 'null']

function canonicalClient(client: string | null): string {
  if (client === null) return 'null'
  if (client !== lastClient[0]) lastClient = [client, canonicalJson(JSON.parse(client))]
  return lastClient[1]
}

const SALT_DIGITS = 32
/** Salts are drawn many at a time: each by itself would cost more than its event's hash. */
const DRAWN = Buffer.alloc(128 * SALT_DIGITS)
let salts = ''
let used = 0

export function newSalt(): string {
  if (used === salts.length) {
    salts = randomFillSync(DRAWN).toString('hex')
    used = 0
  }
  return salts.slice(used, (used += SALT_DIGITS))
}

/** Under which `Db.cache` has the hash of the newest event. */
export const HEAD = 'audit chain head'
/** The same of the security log. */
export const SECURITY_HEAD = 'security chain head'

const newest = query((_: object, sql) =>
  sql.selectFrom('audit_event').select('hash').orderBy('event_id', 'desc').limit(1),
)

export const readHead = async (db: Db): Promise<string> => (await db.get(newest, {}))?.hash ?? BEGINNING

interface Chain {
  /** Under which `Db.cache` has the hash of the newest element. */
  key: string
  read: (db: Db) => Promise<string>
}

/**
 * Continues a chain, that of the audit log unless another one is named: `link` is given the hash of the newest element
 * and answers that of its own last one. It is one step, so that two who append at once follow one another (decision 40).
 */
export async function continueChain(
  db: Db,
  link: (previous: string) => string,
  { key, read }: Chain = { key: HEAD, read: readHead },
): Promise<void> {
  if (!db.cache.has(key)) {
    const head = await read(db)
    if (!db.cache.has(key)) db.cache.set(key, head)
  }
  db.cache.set(key, link(db.cache.get(key) as string))
}
