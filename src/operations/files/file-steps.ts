import { conflict, gone, notFound, type ServiceError, tooLarge } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { userOf } from '#src/domain/caller.ts'
import { mayRead } from '#src/storage/files/may-read.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { type RemovedFile, removeLogOnly } from '#src/storage/files/log-only-files.ts'
import {
  addFile,
  type Content,
  filesWith,
  listContents,
  droppedContents,
  fileInUse,
  findFile,
  forgetContents,
  knownBlobs,
  hasSweepable,
  sweepRows,
  unusedBytesOf,
} from '#src/storage/files/files.ts'

/** Of one account, of files that nothing refers to (further §14). */
const MAX_UNUSED = 2 ** 30
const UNUSED_LIFE = 24 * 60 * 60 * 1000
/** Rows of one sweep. */
const SWEPT = 500

/** A file as it is answered. */
export interface UploadedFile {
  file_id: Ulid
  name: string
  size: number
  type: string
  sha256: string
}

/** One file may be as large as FILE_LIMIT lets it be, whatever that is. */
export const unusedLimit = (file_limit: number): number => Math.max(MAX_UNUSED, file_limit)

export function checkUnused(bytes: number, file_limit: number): void {
  const limit = unusedLimit(file_limit)
  if (bytes > limit)
    throw tooLarge(`Your files that nothing refers to would have more than ${limit} bytes`, {
      suggestion:
        'Put those that you have into items, or wait: a day after its upload such a file is removed',
      details: { limit },
    })
}

/** Bytes of the caller's files that nothing refers to yet. */
export const findUnusedBytes = defineStep({
  name: 'findUnusedBytes',
  effect: 'read',
  inline: true,
  run: ({ db, caller }): Promise<number> => unusedBytesOf(db, userOf(caller)),
})

/**
 * What was stored, as somebody's file; where its bytes were there already, `blob` is not needed. What comes once more
 * under the same id, because nobody knew whether it had been stored, is the file that there is.
 * @throws Conflict where that one has other bytes
 */
export const keepFile = defineStep({
  name: 'keepFile',
  effect: 'write',
  still: 'own',
  async run(
    context,
    input: Omit<UploadedFile, 'file_id'> & {
      blob: string
      file_limit: number
      file_id?: Ulid
      may_be_known?: boolean
      was?: Ulid | undefined
    },
  ): Promise<UploadedFile & { isNew: boolean }> {
    const { db, caller, now, newId } = context
    const user_id = userOf(caller)
    const { blob, file_limit, file_id = newId(), may_be_known = false, was, ...measured } = input
    const known = input.file_id && (await findFile(db, input.file_id))
    if (known) {
      const { sha256 } = known
      if (known.user_id !== user_id || sha256 !== measured.sha256) throw storedOtherwise()
      const { name, size, type } = known
      return { file_id, name, size, type, sha256, isNew: known.blob === blob }
    }
    const alike = may_be_known && (await fileInUse(db, { ...measured, was }))
    if (alike) return { file_id: alike, ...measured, isNew: false }
    checkUnused((await unusedBytesOf(db, user_id)) + measured.size, file_limit)
    const isNew = await addFile(db, { file_id, blob, user_id, created_at: now.toISOString(), ...measured })
    return { file_id, ...measured, isNew }
  },
})

const storedOtherwise = () =>
  conflict('Another file was stored under this id already', { suggestion: 'Ask for a new URL' })

/** What a reader of a file needs. */
export interface ReadableFile extends UploadedFile {
  blob: string
}

/** Of an absent file and of one that the caller may not see alike. */
export const fileNotFound = (file_id: string): ServiceError =>
  notFound('File', file_id, {
    suggestion:
      'It never was, or nothing that you see has it: values and descriptions of items name their files, POST /api/files (prepare_upload) takes new ones',
  })

/** @throws NotFound, also of what the caller may not see; Gone */
export async function readableFile(context: SqlContext, file_id: Ulid): Promise<ReadableFile> {
  const file = await findFile(context.db, file_id)
  if (!file || !(await mayRead(context.db, context.caller, file))) throw fileNotFound(file_id)
  const { name, size, type, blob, sha256, removed_at } = file
  if (removed_at !== null || blob === null || sha256 === null)
    throw gone(`The file '${file_id}' was removed`, {
      suggestion: 'What had it was purged, or it was swept because nothing had it for long',
    })
  return { file_id, name, size, type, blob, sha256 }
}

export const findReadableFile = defineStep({
  name: 'findReadableFile',
  effect: 'read',
  inline: true,
  run: (context, { file_id }: { file_id: Ulid }): Promise<ReadableFile> => readableFile(context, file_id),
})

const lastDay = (now: Date): string => new Date(now.getTime() - UNUSED_LIFE).toISOString()

export const findSweepable = defineStep({
  name: 'findSweepable',
  effect: 'read',
  run: ({ db, now }): Promise<boolean> => hasSweepable(db, lastDay(now)),
})

/** Forgets files that nothing has referred to for a day; which blobs the store may remove. */
export const sweepFiles = defineStep({
  name: 'sweepFiles',
  effect: 'write',
  async run({ db, now }): Promise<{ dropped: { id: number; blob: string }[]; more: boolean }> {
    const swept = await sweepRows(db, lastDay(now), now.toISOString(), SWEPT)
    const dropped = await droppedContents(db, SWEPT)
    return { dropped, more: swept >= SWEPT || dropped.length >= SWEPT }
  },
})

/** The store has removed these. */
export const forgetBlobs = defineStep({
  name: 'forgetBlobs',
  effect: 'write',
  async run({ db }, { ids }: { ids: readonly number[] }) {
    await forgetContents(db, ids)
  },
})

/** Those of the blobs that the base does not know. */
export const findUnknownBlobs = defineStep({
  name: 'findUnknownBlobs',
  effect: 'read',
  async run({ db }, { blobs }: { blobs: readonly string[] }): Promise<string[]> {
    const known = await knownBlobs(db, blobs)
    return blobs.filter((each) => !known.has(each))
  },
})

/** Bytes that files have, and the files that have them. */
export const findContents = defineStep({
  name: 'findContents',
  effect: 'read',
  async run(
    { db },
    { after, limit }: { after: number; limit: number },
  ): Promise<(Content & { of: { file_id: Ulid; name: string }[] })[]> {
    const contents = await listContents(db, after, limit)
    return Promise.all(contents.map(async (each) => ({ ...each, of: await filesWith(db, each.id) })))
  },
})

/** Files that are looked at in one transaction. */
const LOOKED_AT = 20

/** Of some files those go that no item has, and that the log has not named since `before`. */
export const removeLogOnlyFiles = defineStep({
  name: 'removeLogOnlyFiles',
  effect: 'write',
  run: (
    { db, now },
    { after, before }: { after: number; before: string },
  ): Promise<{ removed: RemovedFile[]; next: number | null }> =>
    removeLogOnly(db, { after, before, limit: LOOKED_AT, now: now.toISOString() }),
})
