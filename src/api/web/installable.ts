import { crc32, deflateSync } from 'node:zlib'

const GREEN = [0x0b, 0x6e, 0x6e] as const
const WHITE = [0xff, 0xff, 0xff] as const
const PAPER = '#fbfaf7'
/** Of a line's width, on that field. */
const HALF_LINE = 0.45
/** A launcher may cut off what is outside of four fifths of the middle. */
const SAFE = 0.72
/** Looks at each pixel, a side. */
const SAMPLES = 3

export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M10 1 18 6v8l-8 5-8-5V6z" fill="#0b6e6e"/><path d="M10 1v18M2 6l16 8M18 6 2 14" stroke="#fff" stroke-width=".9" fill="none"/></svg>`

/** Of the home screens of iOS and of Android; larger ones are drawn from the SVG. */
type IconSize = 180 | 192

/** What a phone or a desktop needs to keep the application as one of its own, and to share to it. */
export const APP_MANIFEST = JSON.stringify({
  id: '/',
  name: 'Facet',
  short_name: 'Facet',
  description: 'A structured knowledge base',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: PAPER,
  theme_color: PAPER,
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
  ],
  share_target: {
    action: '/new',
    method: 'GET',
    enctype: 'application/x-www-form-urlencoded',
    params: { title: 'title', text: 'text', url: 'url' },
  },
  shortcuts: [{ name: 'New item', url: '/new' }],
})

const drawn = new Map<number, Buffer>()

/** The sign on white, as PNG: launchers of phones take no SVG. */
export function iconPng(size: IconSize): Buffer {
  const known = drawn.get(size)
  if (known) return known
  const width = 1 + 3 * size
  const rows = Buffer.alloc(size * width)
  // It is the same on both sides, and above as below.
  for (let y = 0; y < size / 2; y++)
    for (let x = 0; x < size / 2; x++) {
      const color = pixel(x, y, size)
      for (const row of [y, size - 1 - y])
        for (const column of [x, size - 1 - x]) rows.set(color, row * width + 1 + 3 * column)
    }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits a channel, three channels.
  header.set([8, 2, 0, 0, 0], 8)
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
  drawn.set(size, png)
  return png
}

/** The mean of several looks: edges are soft. */
function pixel(x: number, y: number, size: number): number[] {
  let green = 0
  const scale = 20 / SAFE / size
  for (let i = 0; i < SAMPLES; i++)
    for (let j = 0; j < SAMPLES; j++)
      if (
        isGreen(
          Math.abs((x + (i + 0.5) / SAMPLES - size / 2) * scale),
          Math.abs((y + (j + 0.5) / SAMPLES - size / 2) * scale),
        )
      )
        green++
  const share = green / SAMPLES ** 2
  return GREEN.map((channel, i) => Math.round(channel * share + WHITE[i]! * (1 - share)))
}

/** Whether the stone is there, so far from its middle: a hexagon of 8 by 9, cut along its three lines. */
function isGreen(x: number, y: number): boolean {
  const isInside = x <= 8 && 5 * x + 8 * y <= 72
  const isCut = x < HALF_LINE || Math.abs(8 * y - 4 * x) < HALF_LINE * Math.hypot(8, 4)
  return isInside && !isCut
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)])
}
