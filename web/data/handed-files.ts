/** Files that were dropped or pasted on a place whose editor is about to open. */
let handed: readonly File[] = []

export const handFiles = (files: FileList): void => {
  handed = [...files]
}

/** Once. */
export function takeHandedFiles(): readonly File[] {
  const files = handed
  handed = []
  return files
}
