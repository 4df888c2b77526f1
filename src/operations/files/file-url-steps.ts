import type { Config } from '#src/config/config.ts'
import { type Caller, userOf } from '#src/domain/caller.ts'
import { notFound, tooManyRequests } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { liveTokens } from '#src/storage/accounts/live-tokens.ts'
import { listedUser } from '#src/storage/accounts/users.ts'
import { countFileUrls, findFileUrl, insertFileUrl, markFileUrl } from '#src/storage/files/file-urls.ts'

export type UrlPurpose = 'upload' | 'download' | 'export'

/** Milliseconds that a URL does. */
const LIFE: Record<UrlPurpose, number> = { upload: 15 * 60_000, download: 5 * 60_000, export: 5 * 60_000 }
/** Of one account, at a time. */
const MAX_URLS = 1000

interface NewUrl {
  token_hash: string
  purpose: UrlPurpose
  /** Of an upload it is given here; an export has none. */
  file_id?: Ulid
  name: string
  /** What is exported, as JSON text. */
  asked?: string
}

/** Keeps a URL for the caller: what it does is done as they may when it is used. */
export const addFileUrl = defineStep({
  name: 'addFileUrl',
  effect: 'write',
  still: 'own',
  async run(context, input: NewUrl): Promise<{ file_id: Ulid; expires_at: string }> {
    const { db, caller, now, newId } = context
    const user_id = userOf(caller)
    if ((await countFileUrls(db, user_id)) >= MAX_URLS)
      throw tooManyRequests(`You have ${MAX_URLS} open URLs of files already`, 60)
    const { token_hash, purpose, name, file_id = newId(), asked: wanted = null } = input
    const expires_at = new Date(now.getTime() + LIFE[purpose]).toISOString()
    const { device: _, ...asked } = caller
    await insertFileUrl(db, {
      token_hash,
      user_id,
      purpose,
      file_id,
      name,
      caller: JSON.stringify(asked),
      asked: wanted,
      expires_at,
      used_at: null,
    })
    return { file_id, expires_at }
  },
})

export interface OpenUrl {
  file_id: Ulid
  name: string
  /** What is exported, as JSON text; null where it is a file. */
  asked: string | null
  /** Who asked for it, with the role that they have now. */
  caller: Caller
}

interface UsedUrl {
  token_hash: string
  purpose: Exclude<UrlPurpose, 'export'>
}

/** Whom a URL lets in, and to what. One answer, whatever is wrong with it. @throws NotFound */
async function openUrl({ db, now }: SqlContext, { token_hash, purpose }: UsedUrl): Promise<OpenUrl> {
  const url = await findFileUrl(db, token_hash, now)
  const asked = url && (JSON.parse(url.caller) as Caller)
  const token = asked?.token_hash
  if (!url || (url.purpose === 'upload') !== (purpose === 'upload')) throw unknownUrl()
  if (!token || !(await liveTokens(db, [token], now)).has(token)) throw unknownUrl()
  const role = (await listedUser(db, url.user_id))?.role
  if (!role) throw unknownUrl()
  return { file_id: url.file_id, name: url.name, asked: url.asked, caller: { ...asked, role } }
}

/** Without holding the writer: anybody may ask, without an account. @throws as `openUrl` */
export const findOpenUrl = defineStep({ name: 'findOpenUrl', effect: 'read', run: openUrl })

/** It takes one file, once. @throws as `openUrl` */
export const useUploadUrl = defineStep({
  name: 'useUploadUrl',
  effect: 'write',
  async run(context, { token_hash }: { token_hash: string }): Promise<OpenUrl> {
    const open = await openUrl(context, { token_hash, purpose: 'upload' })
    await markFileUrl(context.db, token_hash, context.now.toISOString())
    return open
  },
})

/** What was to be sent by it did not come whole: it does once more. */
export const reopenFileUrl = defineStep({
  name: 'reopenFileUrl',
  effect: 'write',
  async run({ db }, { token_hash }: { token_hash: string }) {
    await markFileUrl(db, token_hash, null)
  },
})

const unknownUrl = () =>
  notFound('URL', '…', { suggestion: 'It was used, has ended, or never was: ask for a new one' })

/** What lets its bearer send or fetch one file. The token is in the query, which is never logged. */
export const fileUrl = ({ public_url }: Pick<Config, 'public_url'>, token: string): string =>
  `${public_url}/api/file-urls?token=${token}`
