import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'

/** Pixels that a mouse moves before it drags, and a finger may tremble before it scrolls. */
const STEP = 6
/** Milliseconds that a finger rests on a thing before it is lifted. */
const REST = 350
/** Pixels at an edge where what is beneath scrolls along, and how far in a frame. */
const EDGE = 48
const PACE = 14

export interface Dragging {
  /** `data-item` of what is dragged. */
  onDrop: (item: string, target: string, taken: string | undefined) => void
  /** What the thing under the pointer says where more than itself is dragged. */
  countOf?: (item: string) => number
  disabled: boolean
}

/**
 * Things with `data-item` are dragged to places with `data-drop`, by mouse at once, by a finger that rests first. Nothing
 * is drawn again meanwhile: a copy follows the pointer, and the place under it has `data-over`.
 */
export function useDrag(scroller: RefObject<HTMLElement | null>, dragging: Dragging) {
  const latest = useRef(dragging)
  const drag = useRef<Drag | null>(null)
  useEffect(() => {
    latest.current = dragging
  })
  useEffect(() => {
    const element = scroller.current!
    // A page that has begun to scroll cannot be stopped: it is asked before it does.
    const hold = (event: TouchEvent) => {
      if (drag.current?.isLifted) event.preventDefault()
    }
    element.addEventListener('touchmove', hold, { passive: false })
    return () => {
      element.removeEventListener('touchmove', hold)
      drag.current?.end()
    }
  }, [scroller])
  return (event: PointerEvent<HTMLElement>) => {
    const { target, button } = event
    const thing = (target as Element).closest<HTMLElement>('[data-item]')
    if (button !== 0 || !thing || latest.current.disabled || drag.current) return
    // What is pressed on it is pressed, not dragged.
    if ((target as Element).closest('a, input, [aria-haspopup], [role=menu]')) return
    drag.current = new Drag(thing, event.nativeEvent, scroller.current!, latest, () => (drag.current = null))
  }
}

/** From the press to the release. */
class Drag {
  isLifted = false
  private copy: HTMLElement | undefined
  private over: HTMLElement | undefined
  private frame = 0
  /** The place from which it was taken. */
  private readonly taken: string | undefined
  private at: { x: number; y: number }
  private readonly start: { x: number; y: number }
  private readonly rest: ReturnType<typeof setTimeout> | undefined
  private readonly stop = new AbortController()

  private readonly thing: HTMLElement
  private readonly scroller: HTMLElement
  private readonly latest: RefObject<Dragging>
  private readonly onEnd: () => void

  constructor(
    thing: HTMLElement,
    { clientX: x, clientY: y, pointerType }: globalThis.PointerEvent,
    scroller: HTMLElement,
    latest: RefObject<Dragging>,
    onEnd: () => void,
  ) {
    this.thing = thing
    this.scroller = scroller
    this.latest = latest
    this.onEnd = onEnd
    this.start = { x, y }
    this.at = { x, y }
    this.taken = document
      .elementsFromPoint(x, y)
      .find((each): each is HTMLElement => each.matches('[data-drop]'))?.dataset['drop']
    const isFinger = pointerType === 'touch'
    if (isFinger) this.rest = setTimeout(() => this.lift(), REST)
    const { signal } = this.stop
    addEventListener('pointermove', (event) => this.move(event, isFinger), { signal })
    addEventListener('pointerup', () => this.drop(), { signal })
    addEventListener('pointercancel', () => this.end(), { signal })
    addEventListener('blur', () => this.end(), { signal })
    addEventListener('contextmenu', (event) => isFinger && event.preventDefault(), { signal })
    addEventListener('keydown', (event) => this.cancel(event), { signal, capture: true })
  }

  end(): void {
    clearTimeout(this.rest)
    cancelAnimationFrame(this.frame)
    this.stop.abort()
    this.copy?.remove()
    this.mark(undefined)
    delete this.thing.dataset['dragged']
    this.onEnd()
  }

  private cancel(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this.isLifted) return
    event.preventDefault()
    event.stopPropagation()
    this.end()
  }

  private move({ clientX: x, clientY: y }: globalThis.PointerEvent, isFinger: boolean): void {
    this.at = { x, y }
    const isFar = Math.hypot(x - this.start.x, y - this.start.y) > STEP
    if (!this.isLifted && isFar) {
      if (isFinger) return this.end()
      this.lift()
    }
    if (this.isLifted) this.follow()
  }

  private lift(): void {
    this.isLifted = true
    const box = this.thing.getBoundingClientRect()
    const copy = this.thing.cloneNode(true) as HTMLElement
    copy.removeAttribute('data-item')
    copy.dataset['lifted'] = ''
    copy.inert = true
    copy.ariaHidden = 'true'
    const count = this.latest.current.countOf?.(this.thing.dataset['item']!) ?? 1
    if (count > 1) copy.dataset['count'] = String(count)
    Object.assign(copy.style, {
      position: 'fixed',
      inset: 'auto',
      top: '0',
      left: '0',
      width: `${box.width}px`,
      height: `${box.height}px`,
      margin: '0',
      zIndex: '50',
      pointerEvents: 'none',
      translate: `${box.left}px ${box.top}px`,
      transform: 'none',
    })
    this.start.x -= box.left
    this.start.y -= box.top
    this.thing.dataset['dragged'] = ''
    this.scroller.append(copy)
    this.copy = copy
    this.follow()
    this.roll()
  }

  private follow(): void {
    const { x, y } = this.at
    this.copy!.style.translate = `${x - this.start.x}px ${y - this.start.y}px`
    const under = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop]')
    this.mark(under && this.scroller.contains(under) ? under : undefined)
  }

  private mark(over: HTMLElement | undefined): void {
    if (over === this.over) return
    if (this.over) delete this.over.dataset['over']
    this.over = over
    if (over) over.dataset['over'] = ''
  }

  /** What is beneath scrolls along at its edges. */
  private roll(): void {
    const { left, right } = this.scroller.getBoundingClientRect()
    const { x, y } = this.at
    const by = x < left + EDGE ? -PACE : x > right - EDGE ? PACE : 0
    if (by) {
      this.scroller.scrollLeft += by
      this.follow()
    }
    const rolling = this.scroller.querySelector('[data-rolls]')
    const box = rolling?.getBoundingClientRect()
    const down = box && y < box.top + EDGE ? -PACE : box && y > box.bottom - EDGE ? PACE : 0
    if (rolling && down) {
      rolling.scrollTop += down
      this.follow()
    }
    this.frame = requestAnimationFrame(() => this.roll())
  }

  private drop(): void {
    const target = this.over?.dataset['drop']
    const item = this.thing.dataset['item']
    const { isLifted } = this
    this.end()
    if (!isLifted) return
    // The press ends in a click, which would open it.
    const swallow = (event: Event) => {
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    if (target !== undefined && item !== undefined) this.latest.current.onDrop(item, target, this.taken)
  }
}
