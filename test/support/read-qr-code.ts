import { createRequire } from 'node:module'
import { readPng } from '#test/support/read-png.ts'

const require = createRequire(import.meta.url)
const { default: decode } = require('jsqr') as typeof import('jsqr')

/** The text of a QR code in a PNG, from its pixels; undefined: there is none to see. */
export function readQrCode(dataUri: string): string | undefined {
  const { data, width, height } = readPng(Buffer.from(dataUri.split(',')[1]!, 'base64'))
  return decode(data, width, height)?.data
}
