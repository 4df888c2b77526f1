import { type CallOptions, open } from './call.ts'
import { type Connection, type FileBytes, lost } from './connection.ts'
import { checkSignal } from './end.ts'
import { withRetries } from './retry.ts'
import type { Route } from './route.ts'

/** A file as the service answers it. */
export interface StoredFile {
  file_id: string
  name: string
  size: number
  type: string
  sha256: string
}

/** What takes bytes or answers them; the table of routes knows JSON alone. */
export interface FileCalls {
  /** Uploads a file; `name` is its name. */
  uploadFile(input: { name: string; bytes: FileBytes }, options?: CallOptions): Promise<StoredFile>
  /** Sends the bytes of one file by the token of a URL of prepareUpload; once. */
  uploadByUrl(input: { token: string; bytes: FileBytes }, options?: CallOptions): Promise<StoredFile>
  /** A file, as it is read. One that was cut off rejects while it is read. */
  downloadFile(input: { file_id: string }, options?: CallOptions): Promise<ReadableStream<Uint8Array>>
  /** The same, by the token of a URL of getFile or of the tool export_items. */
  downloadByUrl(input: { token: string }, options?: CallOptions): Promise<ReadableStream<Uint8Array>>
  /** The rows of an import that have a fault, as CSV. */
  listImportFaults(input: { import_id: string }, options?: CallOptions): Promise<ReadableStream<Uint8Array>>
}

const DOWNLOADS = {
  downloadFile: { method: 'GET', path: '/api/files/{file_id}', reads: true },
  downloadByUrl: { method: 'GET', path: '/api/file-urls', reads: true },
  listImportFaults: { method: 'GET', path: '/api/imports/{import_id}/faults', reads: true },
} as const satisfies Record<string, Route>

export function fileCalls(connection: Connection): FileCalls {
  const download =
    (name: keyof typeof DOWNLOADS) =>
    (input: object, { signal = new AbortController().signal }: CallOptions = {}) =>
      open(connection, name, DOWNLOADS[name], input, { signal })
  return {
    uploadFile: async (input, options) => {
      const query = queryOf('uploadFile', 'name', input)
      return upload(connection, 'POST', `/api/files?${query}`, bytesOf('uploadFile', input), options)
    },
    uploadByUrl: async (input, options) => {
      const query = queryOf('uploadByUrl', 'token', input)
      return upload(connection, 'PUT', `/api/file-urls?${query}`, bytesOf('uploadByUrl', input), options)
    },
    downloadFile: download('downloadFile'),
    downloadByUrl: async (input, options) => {
      queryOf('downloadByUrl', 'token', input)
      return download('downloadByUrl')(input, options)
    },
    listImportFaults: download('listImportFaults'),
  }
}

/** @throws TypeError where it is no text: it would be sent as one, `undefined` */
function queryOf(name: string, property: string, input: object | undefined): URLSearchParams {
  const value = (input as Record<string, unknown> | undefined)?.[property]
  if (typeof value !== 'string') throw new TypeError(`${name}: '${property}' is missing, or no text`)
  return new URLSearchParams({ [property]: value })
}

/** @throws TypeError where it is none: `fetch` would send nothing, or the text `[object Object]` */
function bytesOf(name: string, { bytes }: { bytes: FileBytes }): FileBytes {
  const given: unknown = bytes
  const isBytes =
    typeof given === 'string' ||
    ArrayBuffer.isView(given) ||
    [Blob, ArrayBuffer, ReadableStream].some((kind) => given instanceof kind)
  if (!isBytes)
    throw new TypeError(
      `${name}: 'bytes' is missing, or none; expected a Blob, an ArrayBuffer, a Uint8Array, a text or a ReadableStream`,
    )
  if (given instanceof ReadableStream) checkSendable(name, given)
  return bytes
}

/** @throws TypeError where it has been read, or where `fetch` would send the text `[object ReadableStream]` */
function checkSendable(name: string, body: ReadableStream): void {
  const words: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
  let request: Request
  try {
    request = new Request('http://localhost', words)
  } catch (cause) {
    throw new TypeError(`${name}: 'bytes' is a stream that has been read, or is being read`, { cause })
  }
  // A browser that knows no streams makes a text of it, and says of what type it is.
  if (request.headers.has('content-type'))
    throw new TypeError(`${name}: 'bytes' is a stream, which this browser does not send; give a Blob`)
}

/** The same bytes; `fault.error` is what the stream itself failed with, of which `fetch` says nothing, nor does it close what it leaves. */
function watched(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  const fault: { error?: unknown } = {}
  const bytes = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        fault.error = error
        throw error
      }
    },
  })
  return { bytes, fault, close: (reason: unknown) => reader.cancel(reason) }
}

/** It takes as long as it takes: only the signal ends it. @throws FacetError */
async function upload(
  connection: Connection,
  method: 'POST' | 'PUT',
  path: string,
  body: FileBytes,
  { signal = new AbortController().signal }: CallOptions = {},
): Promise<StoredFile> {
  checkSignal(signal)
  const { url, patience } = connection
  const headers = { 'content-type': 'application/octet-stream' }
  const send = async (bytes: FileBytes) => {
    const response = await connection.send({ method, path, headers, body: bytes, signal })
    return (await lost(url, signal, () => response.json())) as StoredFile
  }
  if (!(body instanceof ReadableStream))
    return withRetries(() => send(body), patience, { repeatable: false, signal })
  const { bytes, fault, close } = watched(body)
  try {
    return await send(bytes)
  } catch (error) {
    void close(error).catch(() => undefined)
    throw 'error' in fault ? fault.error : error
  }
}
