import { Slot, useSlot } from '#web/store.ts'
import css from '#web/parts/live-region.module.css'

const said = new Slot('said', 'account', () => ({ text: '', turn: 0 }))

/** Says something to anyone who listens instead of looking: counts, saves, undone. */
export function say(text: string): void {
  said.update(({ turn }) => ({ text, turn: turn + 1 }))
}

/** The one polite region of the application. */
export function LiveRegion() {
  const { text, turn } = useSlot(said, (last) => last)
  // The same words twice are said twice.
  return (
    <div className={css.hidden} role="status" aria-live="polite">
      {turn % 2 ? text : `${text}\u00A0`}
    </div>
  )
}
