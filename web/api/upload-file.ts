import { inSession, jsonOf } from '#web/api/call.ts'
import { unreachable } from '#web/api/fault.ts'
import { asAccount } from '#web/api/session-state.ts'
import type { FileElement } from '#web/rules/file-value.ts'

/** Where the bytes of a file are. */
export const fileAddress = (file_id: string): string => `/api/files/${file_id}`

interface UploadOptions {
  signal?: AbortSignal
  /** Hears how much of it has gone: a share from 0 to 1. */
  onProgress?: (share: number) => void
}

/** Sends a file, which is then one's own until an item has it. @throws Fault, or the reason of `signal` */
export async function uploadFile(file: File, options: UploadOptions = {}): Promise<FileElement> {
  const name = file.name || `pasted.${file.type.split('/')[1] ?? 'bin'}`
  const send = () => post(`/api/files?name=${encodeURIComponent(name)}`, file, options)
  const sent = (await jsonOf(await inSession(send, options.signal))) as FileElement
  return { file_id: sent.file_id, name: sent.name, size: sent.size, type: sent.type }
}

/** As `fetch` would, which does not say how much of a body has gone. @throws Fault where there is no answer */
function post(url: string, body: File, { signal, onProgress }: UploadOptions): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  if (signal?.aborted) {
    reject(signal.reason as Error)
    return promise
  }
  const request = new XMLHttpRequest()
  request.open('POST', url)
  for (const [name, value] of Object.entries(asAccount())) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total ? loaded / total : 0))
  request.addEventListener('load', () => {
    const { status, responseText } = request
    resolve(new Response(responseText, { status }))
  })
  request.addEventListener('error', () => reject(unreachable()))
  request.addEventListener('abort', () => reject((signal?.reason as Error | undefined) ?? unreachable()))
  signal?.addEventListener('abort', () => request.abort(), { once: true })
  request.send(body)
  return promise
}
