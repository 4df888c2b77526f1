import type { JSHandle, Page } from 'playwright-core'

/** One element of a page with what is in it. */
export interface Part {
  /** The same for what looks the same, is described the same to a screen reader, and stands in the same. */
  key: string
  /** Where the first element stands that is not in it. */
  end: number
  /** Holds landmarks or headings, which axe compares with all others of the page. */
  isWhole: boolean
}

export interface PageParts {
  elements: Element[]
  parts: Part[]
}

/** The page's elements in their order, each with what the rules of axe go by; the page's own script has no hand in it. */
export const partsOf = (page: Page): Promise<JSHandle<PageParts>> =>
  page.evaluateHandle<PageParts>(`(${String(listParts)})(${String(describes)}, ${String(hash)})`)

type Describe = (element: Element) => string

/** Runs in the page, as all that follows. */
function listParts(descriptions: () => Describe, hash: (text: string) => string): PageParts {
  const WHOLE = `:is(html, body, header, footer, main, nav, aside, section, form, dialog, h1, h2, h3, h4, h5, h6),
    [role]:is([role=heading], [role=banner], [role=complementary], [role=contentinfo], [role=form], [role=main],
    [role=navigation], [role=region], [role=search], [role=dialog], [role=alertdialog])`
  const describe = descriptions()
  const elements: Element[] = []
  const parts: Part[] = []
  add(document.documentElement, `${innerWidth} ${innerHeight}`)
  return { elements, parts }

  function add(element: Element, above: string): Part {
    const part: Part = { key: '', end: 0, isWhole: element.matches(WHOLE) }
    elements.push(element)
    parts.push(part)
    const children = [...element.children]
    // What a target is too near to is another in the same place.
    const kinds = [...new Set(children.map(describe))].toSorted().join('\n')
    const path = hash(`${above} ${describe(element)} ${kinds}`)
    const inner = children.map((child) => add(child, path))
    part.key = hash(`${path} ${inner.map(({ key }) => key).join(' ')}`)
    part.isWhole ||= inner.some(({ isWhole }) => isWhole)
    part.end = elements.length
    return part
  }
}

/** What an element is by itself: its attributes but for their words and numbers, its colours, and whether it is small. */
function describes(): Describe {
  const WORDS =
    /^(?:aria-(?:label|description|placeholder|roledescription|valuetext|keyshortcuts)|title|alt|placeholder|value|href|src|id|name|content)$/
  const OTHERS =
    /^(?:aria-(?:labelledby|describedby|controls|owns|activedescendant|details|errormessage)|for)$/
  const DRAWN = ['color', 'background-color', 'background-image', 'font-size', 'font-weight', 'opacity', 'visibility', 'display', 'overflow-x', 'overflow-y', 'text-decoration-line'] // prettier-ignore
  const SMALL = 24 // pixels: WCAG 2.2, target size
  const times = new Map<string, number>()
  for (const { id } of document.querySelectorAll('[id]')) times.set(id, (times.get(id) ?? 0) + 1)
  const told = new Map<Element, string>()
  return (element) => {
    const known = told.get(element)
    if (known !== undefined) return known
    const attributes = [...element.attributes].map(({ name, value }) => {
      if (WORDS.test(name)) return `${name}=${value.trim() !== ''}${name === 'id' ? times.get(value) : ''}`
      if (OTHERS.test(name))
        return `${name}=${value
          .split(/\s+/)
          .map((id) => times.get(id) ?? 0)
          .join()}`
      return /^(?:data-|class$|style$)/.test(name) ? '' : `${name}=${value.replaceAll(/\d+/g, '0')}`
    })
    const style = getComputedStyle(element)
    const { width, height } = element.getBoundingClientRect()
    const text = [...element.childNodes].some(
      (each) => each.nodeType === Node.TEXT_NODE && each.nodeValue!.trim(),
    )
    const scrolls = [element.scrollWidth > element.clientWidth, element.scrollHeight > element.clientHeight]
    const named = 'labels' in element && (element.labels as NodeList | null)?.length
    const all = [element.tagName, ...attributes.toSorted(), ...DRAWN.map((each) => style.getPropertyValue(each)), text, width < SMALL, height < SMALL, width * height > 0, ...scrolls, named] // prettier-ignore
    told.set(element, all.join(' '))
    return all.join(' ')
  }
}

/** FNV-1a twice, by 53 bits. */
function hash(text: string): string {
  let one = 0x811c9dc5
  let two = 0x1b873593
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ code, 0x85ebca6b)
  }
  return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`
}
