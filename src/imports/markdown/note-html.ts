import { escaped, INNER } from '#src/markdown/clean-html.ts'
import { decodedAddress } from '#src/imports/decoded-address.ts'
import { markdownToHtml } from '#src/markdown/markdown-to-html.ts'
import type { Vault } from '#src/imports/markdown/vault.ts'

const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i
const WITH_SCHEME = /^[a-z][a-z\d+.-]*:/i
const ITEM = /^\/items\/([0-7][0-9A-HJKMNP-TV-Z]{25})$/

interface NoteHtmlOptions {
  /** A line feed is one, as Obsidian shows it. */
  breaks: boolean
  /** The row of an item that an address of ours means. */
  rowOfItem?: (item_id: string) => string | undefined
  /** Where a link leads instead, if that is known without looking for a file. */
  addressOf?: (href: string) => string | undefined
  onFile(path: string): void
  onTag?(tag: string): void
}

export const rowAddress = (path: string): string => `${INNER}row:${inAddress(path)}`
const fileAddress = (path: string): string => `${INNER}file:${inAddress(path)}`
/** An apostrophe would end it for those who look for addresses. */
const inAddress = (path: string): string => encodeURIComponent(path).replaceAll("'", '%27')

/** The body of a note as a description: links lead to rows, embedded files to files of the archive. */
export function noteHtml(body: string, from: string, vault: Vault, options: NoteHtmlOptions): string {
  const toFile = (path: string) => {
    options.onFile(path)
    return fileAddress(path)
  }
  const { html } = markdownToHtml(body, {
    breaks: options.breaks,
    ...(options.onTag && { onTag: options.onTag }),
    wikiLink({ target, alias, isEmbedded }) {
      const [name = '', heading] = target.split('#')
      const path = vault.find(name, from)
      const text = escaped(alias ?? (heading ? `${name} > ${heading}`.trim() : name))
      if (path === undefined) return text
      if (vault.isNote(path)) return `<a href="${rowAddress(path)}">${text}</a>`
      const address = toFile(path)
      const isShown = isEmbedded && IMAGE.test(path)
      return isShown
        ? `<img src="${address}" alt="${escaped(vault.nameOf(path))}">`
        : `<a href="${address}">${text}</a>`
    },
    address(href) {
      const known = options.addressOf?.(href)
      if (known !== undefined) return known
      if (WITH_SCHEME.test(href) || href.startsWith('#')) return href
      const [, item_id] = ITEM.exec(href) ?? []
      if (item_id) {
        const row = options.rowOfItem?.(item_id)
        return row === undefined ? href : rowAddress(row)
      }
      const path = vault.find(decodedAddress(href.replace(/[?#].*$/, '')), from)
      if (path === undefined) return href
      return vault.isNote(path) ? rowAddress(path) : toFile(path)
    },
  })
  return html
}
