import type { Readable } from 'node:stream'

/** How the bytes of a text become characters. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Bytes of a text by which its encoding is known. */
export const TEXT_START = 64 * 1024

/** What a byte order mark says; null: there is none. */
function markedEncoding(bytes: Uint8Array): Exclude<TextEncoding, 'windows-1252'> | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

/** Bytes of a text that `shownEncoding` looks at. */
export const SHOWN_START = 64

/**
 * UTF-16 whose mark is missing, as some programs write it: what begins with Latin letters has a NUL in every other
 * byte, which no text in another encoding has. null: it is none.
 */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const start = bytes.subarray(0, Math.min(bytes.length, SHOWN_START) & ~1)
  if (start.length < 4) return null
  const areNul = (parity: number) => start.every((byte, i) => (i % 2 === parity) === (byte === 0))
  if (areNul(1)) return 'utf-16le'
  return areNul(0) ? 'utf-16be' : null
}

/** The encoding that a text shows by its first bytes: by its mark, or as UTF-16 without one; null: it shows none. */
export const shownEncoding = (bytes: Uint8Array): Exclude<TextEncoding, 'windows-1252'> | null =>
  markedEncoding(bytes) ?? unmarkedUtf16(bytes)

/**
 * The encoding of a text by its beginning: the one that it shows, else UTF-8 where that is well-formed, else
 * Windows-1252, of which Latin-1 is a part.
 */
export function encodingOfStart(bytes: Uint8Array, isWhole: boolean): TextEncoding {
  const shown = shownEncoding(bytes)
  if (shown) return shown
  try {
    // A character that the end cuts off is none that is broken.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** The first bytes of a text, and how they are read. */
export async function startOfText(
  open: (range: { start: number; end: number }) => Promise<Readable>,
  size: number,
): Promise<{ bytes: Buffer; isWhole: boolean; encoding: TextEncoding }> {
  const isWhole = size <= TEXT_START
  if (!size) return { bytes: Buffer.alloc(0), isWhole, encoding: 'utf-8' }
  const chunks: Buffer[] = []
  for await (const chunk of await open({ start: 0, end: Math.min(size, TEXT_START) - 1 }))
    chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return { bytes, isWhole, encoding: encodingOfStart(bytes, isWhole) }
}
