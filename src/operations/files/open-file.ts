import type { Readable } from 'node:stream'
import type { Caller } from '#src/domain/caller.ts'
import { unavailable } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { type ByteRange, type FileStore, MissingBlob } from '#src/files/file-store.ts'
import { fileNotFound, findReadableFile, type ReadableFile } from '#src/operations/files/file-steps.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'

/** A file that the caller may read, and its bytes as a stream: downloads do it, exports and imports too. */
export interface OpenFile extends ReadableFile {
  open(range?: ByteRange): Promise<Readable>
}

/** @throws NotFound, Gone */
export async function openFile(runtime: Runtime, caller: Caller, file_id: string): Promise<OpenFile> {
  const id = parseUlid(file_id)
  if (id === null) throw fileNotFound(file_id)
  const { json } = await runOperation(runtime, findReadableFile, caller, { file_id: id })
  return withBytes(JSON.parse(json) as ReadableFile, runtime.services.files)
}

export const withBytes = (file: ReadableFile, files: FileStore): OpenFile => ({
  ...file,
  open: (range) =>
    files.open(file.blob, range).catch((error: unknown) => {
      throw error instanceof MissingBlob ? lost(file, error) : error
    }),
})

/** Whether a file could not be opened because its bytes are not there, and will not be by another try. */
export const isLost = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof MissingBlob

/** An operator finds out by `facet files verify`. */
function lost({ file_id }: ReadableFile, cause: Error): Error {
  const error = unavailable(`What the file '${file_id}' holds is not there`, {
    suggestion: 'Ask an owner of this base: a copy of it may have it',
  })
  error.cause = cause
  return error
}
