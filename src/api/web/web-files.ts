import { createHash } from 'node:crypto'

/** A file of the application as it leaves: the whole set is made by `build-web.ts` and kept by `web-cache.ts`. */
export interface WebFile {
  /** Below the root of the site, `assets/main-ABCD1234.js`. */
  name: string
  contents: Buffer
}

/** What a set of files is for: the two pages, and how large its parts are. */
export interface WebManifest {
  /** The page for every address of the application. */
  page: string
  /** The page around a component. */
  frame: string
  /** What a page of the service next to the application needs to look like it. */
  look: WebLook
  /** Base64 of the SHA-256 of the frame's import map, for its policy. */
  import_map_hash: string
  /** Names of all files. */
  names: readonly string[]
  sizes: readonly WebSize[]
}

/** Names of files: colours and sizes, the typeface, and the script that takes over the theme that was chosen. */
export interface WebLook {
  style: string
  font: string
  theme: string
  /** The script of the page where an app asks for access. */
  consent: string
}

/** A part that loads at once: the start of the application, or what a page brings along later. */
export interface WebSize {
  /** The source that it begins with. */
  part: string
  files: readonly string[]
}

export interface WebBuild {
  manifest: WebManifest
  files: readonly WebFile[]
}

export const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** A font is compressed already. */
export const isPacked = (name: string): boolean => name.endsWith('.woff2')

export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('base64')
