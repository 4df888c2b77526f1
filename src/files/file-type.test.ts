import { describe, expect, it } from 'vitest'
import { MeasuredContent } from '#src/files/measured-content.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const BOM = '\u00ef\u00bb\u00bf'

/** As a stream in chunks of `size`. */
async function typeOf(content: Buffer, name = 'x', size = content.length || 1): Promise<string> {
  async function* chunks() {
    for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
  }
  const measured = new MeasuredContent(chunks(), () => undefined)
  for await (const _ of measured);
  return measured.measure(name).type
}

const CASES: [what: string, content: Buffer, type: string, name?: string][] = [
  ['PNG', bytes('\x89PNG\r\n\x1a\n....'), 'image/png', 'x.html'],
  ['JPEG', bytes('\xff\xd8\xff\xe0'), 'image/jpeg'],
  ['GIF that is a script too', bytes('GIF89a/*<script>*/=1'), 'image/gif', 'x.js'],
  ['WebP', bytes('RIFF\x10\0\0\0WEBPVP8 '), 'image/webp'],
  ['AVIF', bytes('\0\0\0\x20ftypavif'), 'image/avif'],
  ['MP4', bytes('\0\0\0\x20ftypisom'), 'video/mp4'],
  ['WebM', bytes('\x1aE\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x82\x84webm'), 'video/webm'],
  ['MP3 with ID3', bytes('ID3\x04\0'), 'audio/mpeg'],
  ['MP3', bytes('\xff\xfb\x90\x44'), 'audio/mpeg'],
  ['Ogg', bytes('OggS\0\x02'), 'audio/ogg'],
  ['PDF', bytes('%PDF-1.7\n<script>'), 'application/pdf', 'x.html'],
  ['PDF behind HTML', bytes('<html><script>1</script>%PDF-1.7'), 'text/html', 'x.pdf'],
  ['text', bytes('Hello\tworld\r\n'), 'text/plain', 'x.html'],
  ['CSV', bytes('a;b\n1;2\n'), 'text/plain', 'x.csv'],
  ['text in UTF-8', Buffer.from('Grüße 👋'), 'text/plain'],
  ['text in UTF-16', Buffer.from('\ufeffabc', 'utf16le'), 'text/plain'],
  ['script', bytes('alert(1)'), 'text/plain', 'x.js'],
  ['nothing', bytes(''), 'text/plain'],
  ['HTML', bytes('<!DOCTYPE html><p>'), 'text/html', 'x.txt'],
  ['HTML without a type', bytes('<script>alert(1)</script>'), 'text/html', 'x.txt'],
  ['HTML behind white space', bytes('\n\t \f<html>'), 'text/html'],
  ['HTML behind a mark', bytes(`${BOM}<body onload=x>`), 'text/html'],
  ['HTML behind marks and white space', bytes(`${BOM}  ${BOM}\n<iframe src=x>`), 'text/html'],
  ['HTML behind comments', bytes('<!-- a --> <!-- b --><html>'), 'text/html'],
  ['HTML behind a very long comment', bytes(`<!--${'x'.repeat(300_000)}--><svg onload=x>`), 'image/svg+xml'],
  ['HTML behind much white space', bytes(`${' '.repeat(300_000)}<html>`), 'text/html'],
  ['HTML in UTF-16', Buffer.from('\ufeff  <html><script>', 'utf16le'), 'text/html'],
  ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg">'), 'image/svg+xml', 'x.png'],
  ['SVG with a declaration', bytes('<?xml version="1.0"?>\n<!-- x --><svg>'), 'image/svg+xml'],
  [
    'SVG with a document type',
    bytes('<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "y" [<!ENTITY a "b">]><svg/>'),
    'image/svg+xml',
  ],
  ['SVG with a prefix', bytes('<s:svg xmlns:s="http://www.w3.org/2000/svg">'), 'image/svg+xml'],
  ['XHTML', bytes('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'), 'text/html'],
  ['other XML', bytes('<?xml version="1.0"?><!DOCTYPE note><note>'), 'text/plain'],
  ['XML', bytes('<?xml version="1.0"?><note>'), 'text/plain'],
  ['text with a tag later', bytes('see <script>'), 'text/plain'],
  ['zip', bytes('PK\x03\x04\x14'), 'application/zip', 'x.zip'],
  [
    'docx',
    bytes('PK\x03\x04\x14'),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'A.DOCX',
  ],
  ['zip that says it is a picture', bytes('PK\x03\x04\x14'), 'application/zip', 'x.png'],
  ['zip that says it is a page', bytes('PK\x03\x04\x14'), 'application/zip', 'x.html'],
  ['unknown', bytes('\0\x01\x02\x03'), 'application/octet-stream', 'x.png'],
]

describe('the type of a file', () => {
  it.each(CASES)('is known of: %s', async (_, content, type, name) => {
    expect(await typeOf(content, name)).toBe(type)
  })

  it.each(CASES.filter(([, content]) => content.length < 1000))(
    'is the same where it comes byte by byte: %s',
    async (_, content, type, name) => {
      expect(await typeOf(content, name, 1)).toBe(type)
    },
  )
})
