import { useRef, useState } from 'react'
import { asWrite } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import type { Row } from '#web/data/row-source.ts'
import { say } from '#web/parts/live-region.tsx'
import { toast } from '#web/parts/toast.tsx'
import { holdPage, useIsHere, useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { useTakenAway } from '#web/parts/use-taken-away.ts'
import { type Default, makeItem } from '#web/table/make-item.ts'

interface NewItemsOptions {
  /** What the next item begins with; a name may be entered before that is known. */
  load: () => Promise<readonly Default[]>
  description?: string | undefined
  onMade: (row: Row) => void
  onClose: () => void
}

interface NewItems {
  /** What is in the box. */
  name: string
  setName: (name: string) => void
  /** Makes an item of a name, after those that were given before. */
  make: (name: string) => void
  /** The same of what is in the box, which is free for the next one at once. */
  enter: () => void
  /** Drops what is in the box, and closes it. */
  close: () => void
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

/** Names that were not made and have no box to go back to: it was closed before their answer. */
function offerAgain(names: readonly string[], fault: Fault, make: (name: string) => void): void {
  if (names.length)
    toast({
      text: `${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} not made: ${fault.message}`,
      kind: 'danger',
      action: { label: 'Try again', run: () => names.forEach(make) },
    })
}

/** A box that makes items one after the other: a name, Enter. No name that could not be made is lost. */
export function useNewItems({ load, description, onMade, onClose }: NewItemsOptions): NewItems {
  const [{ name, left, waiting }, set] = useState<Names>({ name: '', left: [], waiting: 0 })
  const [fault, setFault] = useState<string>()
  useLeaveGuard(name.trim() !== '' || left.length > 0 || waiting > 0)
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const isOpen = useIsHere()
  const wait = (by: 1 | -1) => set((before) => ({ ...before, waiting: before.waiting + by }))
  const giveBack = (given: string) =>
    set((before) => (before.name ? { ...before, left: [...before.left, given] } : { ...before, name: given }))
  /** Said once all of them have their answer. */
  const unsaid = useRef<string[]>([])
  const fail = (given: string, reason: Fault) => {
    if (isOpen.current) {
      giveBack(given)
      return setFault(`${given} was not made: ${reason.message}`)
    }
    unsaid.current.push(given)
    const { current: last } = queue
    void last.then(() => offerAgain(queue.current === last ? unsaid.current.splice(0) : [], reason, make))
  }
  const make = (given: string) => {
    wait(1)
    // Also when the box is closed before.
    const letGo = holdPage()
    queue.current = asWrite(
      queue.current.then(async () => {
        const defaults = await load()
        const making = makeItem(given, defaults, description).catch(toFault)
        wait(-1)
        letGo()
        const made = await making
        if (made instanceof Fault) return fail(given, made)
        onMade(made)
        say(`Made ${made.name}`)
      }),
    )
  }
  const isDropped = useKept([name.trim(), ...left].filter(Boolean), make)
  return {
    name,
    close: () => {
      isDropped.current = true
      onClose()
    },
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

/** A box that another layout or month took away has dropped nothing: its names are offered. */
function useKept(names: readonly string[], make: (name: string) => void) {
  const isDropped = useRef(false)
  useTakenAway(() => {
    if (!names.length || isDropped.current) return
    toast({
      text: `Not made yet: ${names.join(', ')}`,
      kind: 'danger',
      action: { label: 'Make', run: () => names.forEach(make) },
    })
  })
  return isDropped
}
