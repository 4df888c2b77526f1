import { fetchOf, inSession, jsonOf } from '#web/api/call.ts'
import { asAccount } from '#web/api/session-state.ts'
import type { FileElement } from '#web/rules/file-value.ts'

/** Where the bytes of a file are. */
export const fileAddress = (file_id: string): string => `/api/files/${file_id}`

/** Sends a file, which is then one's own until an item has it. @throws Fault */
export async function uploadFile(file: File, signal?: AbortSignal): Promise<FileElement> {
  const name = file.name || `pasted.${file.type.split('/')[1] ?? 'bin'}`
  const send = () =>
    fetchOf(`/api/files?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: asAccount(),
      body: file,
      ...(signal && { signal }),
    })
  const { file_id, name: kept, size, type } = (await jsonOf(await inSession(send, signal))) as FileElement
  return { file_id, name: kept, size, type }
}
