export const GB = 1024 ** 3
const UNITS = ['bytes', 'KB', 'MB'] as const

/** `2.3 GB`, and what is less in whole numbers of the largest unit of which there is one: `640 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes >= GB) return `${(bytes / GB).toFixed(1)} GB`
  const power = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : 2
  return `${Math.floor(bytes / 1024 ** power)} ${UNITS[power]}`
}
