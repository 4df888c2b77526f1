import { createContext, useContext, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { toast } from '#web/parts/toast.tsx'

/** Leads to what does not count: the focus goes there. */
type Show = () => void

const WORDS =
  'The conditions that are shown do not count yet. Mend the one that is wrong or has no value, or take it away; then do this again.'

/**
 * What is shown of a question and does not count yet: a condition with a fault, or without a value; what was typed a
 * moment ago. What only reads goes on with what counts; what acts on the items that are meant is not done until all counts.
 */
export class Unsettled {
  private held: readonly Show[] = []
  private readonly listeners = new Set<() => void>()

  isSettled = (): boolean => this.held.length === 0

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Until what it gives is called something does not count. */
  hold(show: Show): () => void {
    // Two may have the same way: each holds for itself.
    const own = () => show()
    this.put([...this.held, own])
    return () => this.put(this.held.filter((each) => each !== own))
  }

  show(): void {
    this.held.at(-1)?.()
  }

  /** Does it where all that is shown counts; else says that it does not, and leads there. */
  ifSettled(deed: () => void): void {
    if (this.isSettled()) return deed()
    toast({ text: WORDS })
    this.show()
  }

  private put(held: readonly Show[]): void {
    this.held = held
    for (const listener of this.listeners) listener()
  }
}

/** Of the question that is asked here; null: nothing is asked. */
export const UnsettledHere = createContext<Unsettled | null>(null)

/** For who asks the question; the parts within it know it by `UnsettledHere`. */
export const useUnsettled = (): Unsettled => useState(() => new Unsettled())[0]

/** Says, from within a question, that something of it does not count as long as that is so. */
export function useHoldUnsettled(isHeld: boolean, show: Show): void {
  const here = useContext(UnsettledHere)
  const showNow = useEffectEvent(show)
  useEffect(() => {
    if (isHeld) return here?.hold(() => showNow())
  }, [isHeld, here])
}

/** Does what acts on the items that are meant here, where all that is shown counts. */
export function useIfSettled(): (deed: () => void) => void {
  const here = useContext(UnsettledHere)
  return (deed) => (here ? here.ifSettled(deed) : deed())
}

/** Whether all that is shown counts, as it changes. */
export function useIsSettled(unsettled: Unsettled | null): boolean {
  return useSyncExternalStore(unsettled?.subscribe ?? never, unsettled?.isSettled ?? always)
}

const never = () => () => undefined
const always = () => true
