import type { FileElement } from '#web/rules/file-value.ts'
import { Fault, unreachable } from '#web/api/fault.ts'

/** Where the bytes of a file are. */
export const fileAddress = (file_id: string): string => `/api/files/${file_id}`

/** Sends a file, which is then one's own until an item has it. @throws Fault */
export async function uploadFile(file: File): Promise<FileElement> {
  const name = file.name || `pasted.${file.type.split('/')[1] ?? 'bin'}`
  const response = await fetch(`/api/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body: file,
  }).catch(() => null)
  if (!response) throw unreachable()
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok)
    throw new Fault(
      response.status,
      (body ?? { error: '', message: `The service answered ${response.status}` }) as ConstructorParameters<
        typeof Fault
      >[1],
    )
  const { file_id, name: kept, size, type } = body as FileElement
  return { file_id, name: kept, size, type }
}
