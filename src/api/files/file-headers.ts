import { hasViewer, isInline } from '#src/files/file-type.ts'
import type { ReadableFile } from '#src/operations/files/file-steps.ts'

/** What was uploaded runs nothing, wherever it is opened. */
const LOCKED = "default-src 'none'; sandbox"
/** What a browser shows with a viewer of its own: a sandbox would keep the viewer from it. */
const VIEWED =
  "default-src 'none'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What every answer with a file says of it. `attachment`: whatever it is, it is to be saved. */
export function fileHeaders(
  { name, type, sha256 }: Pick<ReadableFile, 'name' | 'type' | 'sha256'>,
  { attachment = false } = {},
): Record<string, string> {
  const inline = !attachment && isInline(type)
  return {
    'content-type': type,
    'content-disposition': disposition(inline ? 'inline' : 'attachment', name),
    'content-security-policy': inline && hasViewer(type) ? VIEWED : LOCKED,
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: `"${sha256}"`,
  }
}

/** RFC 6266: a name of ASCII for old clients, and the name itself (RFC 8187). */
function disposition(kind: string, name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return plain === name
    ? `${kind}; filename="${plain}"`
    : `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`
}
