import { Slot, useSlot } from '#web/store.ts'

/**
 * The last event of which this page has heard. At first it is the newest one before the page read anything: what comes
 * after it may be missing in what was read, so the stream of changes begins there.
 */
const heard = new Slot<string | undefined>('last_heard', 'account', () => undefined)

export const lastHeard = heard.get

/** Whether it is known from where on this page hears of changes. */
export const useHears = (): boolean => useSlot(heard, (event_id) => event_id !== undefined)

/** Before anything is read that is signed in. */
export function beginHearing(event_id: string | undefined): void {
  if (heard.get() === undefined) heard.set(event_id)
}

export const keepHeard = heard.set
