import { useState } from 'react'

interface Names {
  name: string
  setName: (name: string) => void
  /** Those that were not made and do not fit into the box, because something is in it. */
  left: readonly string[]
  /** Frees the box for the next name, or gives it the next of those that were not made. */
  next: () => void
  /** Nothing that was typed is lost where it could not be made. */
  giveBack: (name: string) => void
}

/** The names in a box that makes items one after the other. */
export function useNames(): Names {
  const [{ name, left }, set] = useState<{ name: string; left: readonly string[] }>({ name: '', left: [] })
  return {
    name,
    left,
    setName: (typed) => set((before) => ({ ...before, name: typed })),
    next: () => set(({ left: [first = '', ...rest] }) => ({ name: first, left: rest })),
    giveBack: (given) =>
      set((before) =>
        before.name ? { ...before, left: [...before.left, given] } : { ...before, name: given },
      ),
  }
}

/** Why a name was not made, and which others wait for the box. */
export const faultWords = (fault: string, left: readonly string[]): string =>
  left.length ? `${fault} Not made either, and next in the box: ${left.join(', ')}.` : fault
