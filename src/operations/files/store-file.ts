import { fileName } from '#src/domain/file-name.ts'
import { MeasuredContent } from '#src/files/measured-content.ts'
import type { Caller } from '#src/domain/caller.ts'
import { userOf } from '#src/domain/caller.ts'
import { DISK_FULL, insufficientStorage, ServiceError, tooLarge } from '#src/domain/errors.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import {
  checkUnused,
  findUnusedBytes,
  keepFile,
  type UploadedFile,
} from '#src/operations/files/file-steps.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'

export interface FileToStore {
  name: string
  content: AsyncIterable<Uint8Array>
  /** Bytes that were announced. */
  length?: number | undefined
  /** The id that it gets; without it a new one. */
  file_id?: Ulid
  /** A file of the same bytes and name that items have already is taken in its place. */
  may_be_known?: boolean
  /** The id that it had where an export was made: of several known ones that is it. */
  was?: Ulid | undefined
}

const nextBlob = ulidSource()

/**
 * Takes a stream and keeps it as a file of the caller's, which nothing refers to yet: an upload does it, and so does an
 * import with what a zip holds. Nothing is stored where it fails. `POST /api/files` has checked whether the caller may.
 * @throws PayloadTooLarge beyond FILE_LIMIT, or beyond what an account may have unreferred; InsufficientStorage
 */
export async function storeFile(runtime: Runtime, caller: Caller, file: FileToStore): Promise<UploadedFile> {
  const { files, uploads, config } = runtime.services
  const { file_limit } = config
  const name = fileName(file.name)
  if ((file.length ?? 0) > file_limit) throw beyondLimit(file_limit)
  const { json } = await runOperation(runtime, findUnusedBytes, caller, {})
  const room = uploads.open(userOf(caller), (others) => checkUnused(Number(json) + others, file_limit))
  const blob = nextBlob(runtime.clock())
  try {
    room.count(file.length ?? 0)
    const content = new MeasuredContent(file.content, (size) => {
      if (size > file_limit) throw beyondLimit(file_limit)
      room.count(size)
    })
    await files.put(blob, content)
    const input = {
      ...content.measure(name),
      name,
      blob,
      file_limit,
      ...(file.file_id && { file_id: file.file_id }),
      ...(file.may_be_known && { may_be_known: true, was: file.was }),
    }
    const kept = await runOperation(runtime, keepFile, caller, input).catch(async (error: unknown) => {
      // Where nobody knows whether its row is there, the bytes stay: the sweep finds out.
      if (isDiskFull(error) || isRefused(error)) await removeVain(runtime, blob)
      throw withoutRoom(error)
    })
    const { isNew, ...uploaded } = JSON.parse(kept.json) as UploadedFile & { isNew: boolean }
    if (!isNew) await removeVain(runtime, blob)
    return uploaded
  } finally {
    room.close()
  }
}

/** Bytes that no file needs. What becomes of the upload is decided: where they cannot go now, the sweep takes them. */
async function removeVain({ services }: Runtime, blob: string): Promise<void> {
  await services.files.remove(blob).catch((error: unknown) => services.onBytesLeft(error, blob))
}

const isRefused = (error: unknown) => error instanceof ServiceError && error.code !== 'ServiceUnavailable'

/** The database has taken its change back then, so nobody has to find out. */
const isDiskFull = (error: unknown) =>
  error instanceof ServiceError && Object.values<string>(DISK_FULL).includes(error.message)

/** Whichever disk is full, that of the files or that of the database: it is the same to who sends one. */
const withoutRoom = (error: unknown): unknown =>
  isDiskFull(error)
    ? insufficientStorage('There is no room for this file: nothing was kept', {
        suggestion: 'Free space where the database is, and send it again',
      })
    : error

const beyondLimit = (limit: number) =>
  tooLarge(`The file is larger than ${limit} bytes`, {
    suggestion: 'Send a smaller one, or raise FILE_LIMIT',
    details: { limit },
  })
