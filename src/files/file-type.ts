/** Kinds that a browser shows, and runs nothing of (further §14). */
const INLINE = /^(?:image\/(?:png|jpeg|gif|webp|avif)|application\/pdf|text\/plain|audio\/.*|video\/.*)$/
/** What a browser plays or shows with a viewer of its own, which a sandbox would keep from it. */
const WITH_VIEWER = /^(?:application\/pdf|audio\/.*|video\/.*)$/

export const isInline = (type: string): boolean => INLINE.test(type)
export const hasViewer = (type: string): boolean => WITH_VIEWER.test(type)
export const UNKNOWN_TYPE = 'application/octet-stream'

/** Bytes at the beginning by which a kind is known. */
export const HEAD = 64 * 1024

type Head = Uint8Array

interface Kind {
  type: string
  is: (head: Head) => boolean
  /** By the end of the name: kinds that begin alike and are attachments all. */
  named?: Readonly<Record<string, string>>
}

/** `at(4, 'ftyp')`: a text of Latin-1 at a place. */
const at = (place: number, text: string) => (head: Head) => {
  if (head.length < place + text.length) return false
  for (let i = 0; i < text.length; i++) if (head[place + i] !== text.charCodeAt(i)) return false
  return true
}
const all =
  (...tests: ((head: Head) => boolean)[]) =>
  (head: Head) =>
    tests.every((test) => test(head))

const brand = (...brands: string[]) => {
  const tests = brands.map((each) => at(8, each))
  return all(at(4, 'ftyp'), (head) => tests.some((test) => test(head)))
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'
const ZIPS = {
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
  odt: `${OPEN}.text`,
  ods: `${OPEN}.spreadsheet`,
  odp: `${OPEN}.presentation`,
  epub: 'application/epub+zip',
}
const OLE = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
}

/** The first that fits. What is shown inline is known by its content alone. */
const KINDS: readonly Kind[] = [
  { type: 'image/png', is: at(0, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', is: at(0, '\xff\xd8\xff') },
  { type: 'image/gif', is: (head) => at(0, 'GIF87a')(head) || at(0, 'GIF89a')(head) },
  { type: 'image/webp', is: all(at(0, 'RIFF'), at(8, 'WEBPVP8')) },
  { type: 'image/avif', is: brand('avif', 'avis') },
  { type: 'image/heic', is: brand('heic', 'heix', 'mif1', 'msf1') },
  { type: 'image/bmp', is: all(at(0, 'BM'), (head) => head.length >= 10 && !head[6] && !head[7]) },
  { type: 'image/tiff', is: (head) => at(0, 'II*\0')(head) || at(0, 'MM\0*')(head) },
  { type: 'application/pdf', is: at(0, '%PDF-') },
  { type: 'audio/mp4', is: brand('M4A ', 'M4B ', 'M4P ') },
  { type: 'video/quicktime', is: brand('qt  ') },
  {
    type: 'video/mp4',
    is: brand('isom', 'iso2', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'dash', 'M4V ', 'mmp4', 'MSNV'),
  },
  { type: 'audio/wav', is: all(at(0, 'RIFF'), at(8, 'WAVE')) },
  { type: 'video/x-msvideo', is: all(at(0, 'RIFF'), at(8, 'AVI ')) },
  { type: 'audio/flac', is: at(0, 'fLaC\0') },
  { type: 'audio/mpeg', is: (head) => (at(0, 'ID3')(head) && head[3]! < 0x10) || isMpegAudio(head) },
  { type: 'audio/aac', is: (head) => head[0] === 0xff && (head[1]! & 0xf6) === 0xf0 },
  { type: 'audio/midi', is: at(0, 'MThd\0') },
  { type: 'video/ogg', is: all(at(0, 'OggS'), at(28, '\x80theora')) },
  { type: 'audio/ogg', is: at(0, 'OggS\0') },
  { type: 'video/webm', is: all(at(0, '\x1aE\xdf\xa3'), (head) => hasText(head, 'webm', 64)) },
  { type: 'video/x-matroska', is: all(at(0, '\x1aE\xdf\xa3'), (head) => hasText(head, 'matroska', 64)) },
  {
    type: 'application/zip',
    is: (head) => at(0, 'PK\x03\x04')(head) || at(0, 'PK\x05\x06')(head),
    named: ZIPS,
  },
  { type: 'application/x-ole-storage', is: at(0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), named: OLE },
  { type: 'application/gzip', is: at(0, '\x1f\x8b\x08') },
  { type: 'application/zstd', is: at(0, '\x28\xb5\x2f\xfd') },
  { type: 'application/x-bzip2', is: all(at(0, 'BZh'), at(4, '1AY&SY')) },
  { type: 'application/x-xz', is: at(0, '\xfd7zXZ\0') },
  { type: 'application/x-7z-compressed', is: at(0, '7z\xbc\xaf\x27\x1c') },
  { type: 'application/x-rar-compressed', is: at(0, 'Rar!\x1a\x07') },
  { type: 'application/x-tar', is: at(257, 'ustar') },
  { type: 'application/vnd.sqlite3', is: at(0, 'SQLite format 3\0') },
]

/** A frame of MPEG audio, layer III or II, with a bit rate and a sample rate that there are. */
function isMpegAudio(head: Head): boolean {
  const [first, second = 0, third = 0] = head
  const layer = (second >> 1) & 3
  return (
    first === 0xff &&
    (second & 0xe0) === 0xe0 &&
    ((second >> 3) & 3) !== 1 &&
    (layer === 1 || layer === 2) &&
    third >> 4 !== 15 &&
    third >> 4 !== 0 &&
    ((third >> 2) & 3) !== 3
  )
}

const hasText = (head: Head, text: string, within: number): boolean =>
  Buffer.from(head.subarray(0, within)).includes(text, 0, 'latin1')

/**
 * What the bytes are, by how they begin; `name` decides only among kinds that are attachments. `markup` is what a text
 * turned out to be behind white space and comments, however long (`markup-scan.ts`).
 */
export function typeOf(head: Head, name: string, markup: string | null): string {
  const kind = KINDS.find(({ is }) => is(head))
  if (kind) {
    const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
    return kind.named && Object.hasOwn(kind.named, ending) ? kind.named[ending]! : kind.type
  }
  if (markup) return markup
  return isText(head) ? 'text/plain' : UNKNOWN_TYPE
}

/** Without bytes that no text has (https://mimesniff.spec.whatwg.org/#binary-data-byte); in UTF-16 only with its mark. */
function isText(head: Head): boolean {
  if (isUtf16(head)) return true
  for (const byte of head)
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b)
      return false
  return true
}

export const isUtf16 = (head: Head): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
