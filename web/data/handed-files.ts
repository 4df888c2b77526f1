import { Slot } from '#web/store.ts'

/** Files that were dropped or pasted on a place whose editor is about to open. */
const handed = new Slot<readonly File[]>('handed_files', 'account', () => [])

export const handFiles = (files: FileList): void => {
  handed.set([...files])
}

/** Once. */
export function takeHandedFiles(): readonly File[] {
  const files = handed.get()
  handed.empty()
  return files
}
