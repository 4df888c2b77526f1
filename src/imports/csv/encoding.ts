import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { SHOWN_START, shownEncoding, type TextEncoding } from '#src/files/text-encoding.ts'

/** How the bytes of a text file are read. */
export interface Encoding {
  label: TextEncoding
  /** Characters that stand for bytes which mean nothing in it; null: there are none. */
  broken: RegExp | null
}

const REPLACED = /\uFFFD/
/** Bytes that Windows-1252 gives no character. */
const UNASSIGNED = /[\u0081\u008D\u008F\u0090\u009D]/

/** The one that its beginning shows; else UTF-8 where all of it is well-formed, else Windows-1252. */
export async function encodingOf(path: string): Promise<Encoding> {
  const shown = await shownBy(path)
  if (!shown && !(await isWellFormed(path, 'utf-8'))) return { label: 'windows-1252', broken: UNASSIGNED }
  const label = shown ?? 'utf-8'
  return { label, broken: shown && !(await isWellFormed(path, label)) ? REPLACED : null }
}

async function shownBy(path: string): Promise<ReturnType<typeof shownEncoding>> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SHOWN_START), 0, SHOWN_START, 0)
    return shownEncoding(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

async function isWellFormed(path: string, label: string): Promise<boolean> {
  const decoder = new TextDecoder(label, { fatal: true })
  try {
    for await (const chunk of createReadStream(path)) decoder.decode(chunk as Buffer, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    return false
  }
}

/** The text of a file, without its mark, piece by piece. */
export async function* decoded(
  path: string,
  { label }: Encoding,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(label)
  for await (const chunk of createReadStream(path, { ...(signal && { signal }) })) {
    const text = decoder.decode(chunk as Buffer, { stream: true })
    if (text) yield text
  }
  const rest = decoder.decode()
  if (rest) yield rest
}
