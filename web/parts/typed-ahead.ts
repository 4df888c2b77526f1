/** Milliseconds after which nobody comes any more to take it. */
const PATIENCE = 5000

let typed = ''
let timer: ReturnType<typeof setTimeout> | undefined

function keep(event: KeyboardEvent): void {
  const { key } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (key === 'Escape' || key === 'Tab') return void takeTyped()
  event.preventDefault()
  event.stopPropagation()
  if (key === 'Backspace') typed = typed.slice(0, -1)
  else if (key.length === 1) typed += key
}

/** Keeps what is typed until the box that it is meant for is there. */
export function keepTyped(): void {
  clearTimeout(timer)
  typed = ''
  addEventListener('keydown', keep, { capture: true })
  timer = setTimeout(takeTyped, PATIENCE)
}

/** What was typed meanwhile; from now on the box takes it. */
export function takeTyped(): string {
  clearTimeout(timer)
  removeEventListener('keydown', keep, { capture: true })
  const taken = typed
  typed = ''
  return taken
}
