import type { Page } from 'playwright-core'

/**
 * From now on: the elements of a kind that React has drawn again, by an attribute of theirs. An element has other
 * properties whenever the component that draws it has run, also where nothing of them differs.
 */
export async function watchDrawn(
  page: Page,
  selector: string,
  attribute: string,
): Promise<() => Promise<string[]>> {
  const before = await page.evaluateHandle((kind) => {
    const propsOf = (element: Element) =>
      Object.entries(element).find(([key]) => key.startsWith('__reactProps$'))?.[1] as unknown
    return {
      propsOf,
      all: [...document.querySelectorAll(kind)].map((each) => [each, propsOf(each)] as const),
    }
  }, selector)
  return async () =>
    before.evaluate(
      ({ propsOf, all }, name) =>
        all.flatMap(([element, props]) => (propsOf(element) === props ? [] : [element.getAttribute(name)!])),
      attribute,
    )
}
