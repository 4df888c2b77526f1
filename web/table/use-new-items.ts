import { useRef, useState } from 'react'
import { Fault, toFault } from '#web/api/fault.ts'
import type { Row } from '#web/data/row-source.ts'
import { say } from '#web/parts/live-region.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { type Default, makeItem } from '#web/table/make-item.ts'

interface NewItemsOptions {
  /** What the next item begins with; a name may be entered before that is known. */
  load: () => Promise<readonly Default[]>
  description?: string | undefined
  onMade: (row: Row) => void
}

interface NewItems {
  /** What is in the box. */
  name: string
  setName: (name: string) => void
  /** Makes an item of a name, after those that were given before. */
  make: (name: string) => void
  /** The same of what is in the box, which is free for the next one at once. */
  enter: () => void
  /** Why a name was not made, and which others wait for the box. */
  fault: string | undefined
}

interface Names {
  name: string
  /** Those that were not made and do not fit into the box, because something is in it. */
  left: readonly string[]
  /** How many were entered and are not on their way yet. */
  waiting: number
}

/** A box that makes items one after the other: a name, Enter. No name that could not be made is lost. */
export function useNewItems({ load, description, onMade }: NewItemsOptions): NewItems {
  const [{ name, left, waiting }, set] = useState<Names>({ name: '', left: [], waiting: 0 })
  const [fault, setFault] = useState<string>()
  useLeaveGuard(name.trim() !== '' || left.length > 0 || waiting > 0)
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const wait = (by: 1 | -1) => set((before) => ({ ...before, waiting: before.waiting + by }))
  const giveBack = (given: string) =>
    set((before) => (before.name ? { ...before, left: [...before.left, given] } : { ...before, name: given }))
  const make = (given: string) => {
    wait(1)
    queue.current = queue.current.then(async () => {
      const defaults = await load()
      const making = makeItem(given, defaults, description).catch(toFault)
      wait(-1)
      const made = await making
      if (made instanceof Fault) {
        giveBack(given)
        return setFault(`${given} was not made: ${made.message}`)
      }
      onMade(made)
      say(`Made ${made.name}`)
    })
  }
  return {
    name,
    setName: (typed) => set((before) => ({ ...before, name: typed })),
    make,
    enter: () => {
      set(({ left: [first = '', ...rest], ...before }) => ({ ...before, name: first, left: rest }))
      setFault(undefined)
      make(name.trim())
    },
    fault:
      fault && left.length ? `${fault} Not made either, and next in the box: ${left.join(', ')}.` : fault,
  }
}
