/** Pixels to what it belongs to, and to the edge of the window. */
const GAP = 4
const EDGE = 8
const TALLEST = 336

/**
 * Shows something small under what it belongs to, or above it where there is more room, over everything else; it goes
 * along with it. What comes back ends that.
 */
export function layBeside(
  element: HTMLElement,
  anchor: Pick<HTMLElement, 'getBoundingClientRect'>,
): () => void {
  element.showPopover()
  const place = () => {
    const { top, bottom, left, width } = anchor.getBoundingClientRect()
    const { style } = element
    style.minWidth = `${Math.round(width)}px`
    style.maxHeight = `${TALLEST}px`
    const below = innerHeight - bottom - GAP - EDGE
    const above = top - GAP - EDGE
    const isBelow = below >= Math.min(element.offsetHeight, TALLEST) || below >= above
    style.maxHeight = `${Math.max(80, Math.min(TALLEST, isBelow ? below : above))}px`
    style.top = `${isBelow ? bottom + GAP : Math.max(EDGE, top - GAP - element.offsetHeight)}px`
    style.left = `${Math.max(EDGE, Math.min(left, innerWidth - element.offsetWidth - EDGE))}px`
  }
  place()
  const over = new AbortController()
  addEventListener('resize', place, { signal: over.signal })
  // What is scrolled is around the anchor, not what is shown.
  const onScroll = ({ target }: Event) => target !== element && place()
  addEventListener('scroll', onScroll, { capture: true, signal: over.signal })
  return () => over.abort()
}
