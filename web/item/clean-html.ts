import DOMPurify from 'dompurify'
import { DROPPED_BLOCKS, plainBlocks } from '#web/item/plain-blocks.ts'
import { together } from '#web/item/together.ts'

/** What of a description is shown; everything else is left out, its text stays. */
const ALLOWED_TAGS =
  'p h1 h2 h3 h4 ul ol li a strong em b i code pre blockquote table thead tbody tr th td br hr img #text'.split(
    ' ',
  )
const ALLOWED_ATTR = ['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'start']
const NO_ADDRESS = ['alt', 'title', 'colspan', 'rowspan', 'start']
const STYLE = 'left-out'
const ALLOWED_URI_REGEXP = /^(?:https?:|mailto:|\/(?:api\/files|items)\/[0-9a-z]{26}$)/i
/** A file of this base. */
export const isFileAddress = (address: string): boolean => /^\/api\/files\/[0-9a-z]{26}$/i.test(address)
/** An item of this base. */
export const isItemAddress = (address: string): boolean => /^\/items\/[0-9a-z]{26}$/i.test(address)

/**
 * The description as nodes that can do nothing: no scripts, no styles, no forms, nothing loaded from another host. An
 * image that lies elsewhere becomes a link that names where.
 */
export function cleanHtml(html: string): DocumentFragment {
  const fragment = sanitizedBlocks(html)
  // The fragment lies in a document of its own, where nothing loads until it is put into the page.
  for (const image of fragment.querySelectorAll('img')) keepFromLoading(image)
  for (const link of fragment.querySelectorAll('a')) {
    if (!link.hasAttribute('href')) link.replaceWith(together(link.childNodes))
    if (isItemAddress(link.getAttribute('href') ?? '')) continue
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
  }
  lowerHeadings(fragment)
  return fragment
}

/** What of a description may be there at all, as nodes that nobody has shown yet. */
export const sanitized = (html: string, also: Also = {}): DocumentFragment =>
  DOMPurify.sanitize(withoutStyles(html), {
    ALLOWED_TAGS: [...ALLOWED_TAGS, ...(also.tags ?? [])],
    ALLOWED_ATTR: [...ALLOWED_ATTR, ...(also.attributes ?? [])],
    // Everything but these is held to be an address.
    ADD_URI_SAFE_ATTR: [...NO_ADDRESS, ...(also.attributes ?? [])],
    ALLOWED_URI_REGEXP,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ADD_FORBID_CONTENTS: [STYLE],
    RETURN_DOM_FRAGMENT: true,
  })

/** The same, where blocks that may not be there part the text all the same. */
export const sanitizedBlocks = (html: string, also: Also = {}): DocumentFragment =>
  plainBlocks(sanitized(html, { ...also, tags: [...DROPPED_BLOCKS, ...(also.tags ?? [])] }))

interface Also {
  tags?: readonly string[]
  attributes?: readonly string[]
}

/** What the last piece had that may not be: the names of elements and attributes. */
export const leftOut = (): string[] =>
  DOMPurify.removed
    .map((each) =>
      'element' in each
        ? each.element.nodeName.toLowerCase().replace(STYLE, 'style')
        : (each.attribute?.name ?? '').replace(/^data-style$/, 'style'),
    )
    // Its own, around every piece.
    .filter((name) => name !== 'body')

/**
 * Under another name: parsing a style at all is reported as a violation of the page's policy, though the document that
 * it is parsed into is never shown.
 */
const withoutStyles = (html: string): string =>
  html
    .replaceAll(/<(\/?)style(?=[\s/>])/gi, `<$1${STYLE}`)
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/([\s"'/])style(?=[\s=])/gi, '$1data-style'))

/** A heading of a description is under those of its page, and none skips a level. */
function lowerHeadings(fragment: DocumentFragment): void {
  let above = 1
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4')) {
    above = Math.min(Number(heading.tagName.slice(1)) + 1, above + 1)
    const lower = heading.ownerDocument.createElement(`h${above}`)
    lower.append(together(heading.childNodes))
    heading.replaceWith(lower)
  }
}

export function keepFromLoading(image: HTMLImageElement): void {
  const src = image.getAttribute('src') ?? ''
  if (/^data:image\//i.test(src) || isFileAddress(src)) {
    if (!image.hasAttribute('alt')) image.alt = ''
    return
  }
  const { ownerDocument } = image
  const url = URL.canParse(src) ? new URL(src) : null
  if (!url) return image.replaceWith(image.alt)
  const link = ownerDocument.createElement('a')
  link.href = url.href
  link.textContent = `Image at ${url.host}${image.alt ? `: ${image.alt}` : ''}`
  image.replaceWith(link)
}
