import { useEffect } from 'react'
import { Slot, useSlot } from '#web/store.ts'

const MINUTE = 60_000

/** The clock that all share who show the time, as long as anyone does. */
const clock = new Slot<{ users: number; timer?: ReturnType<typeof setInterval> }>('clock', 'page', () => ({
  users: 0,
}))
const ticks = new Slot('ticks', 'page', () => 0)

/** The present minute, for what is shown relative to it. */
export function useNow(): number {
  useEffect(start, [])
  return useSlot(ticks, () => Math.floor(Date.now() / MINUTE) * MINUTE)
}

function start(): () => void {
  clock.update(({ users, timer = setInterval(() => ticks.update((before) => before + 1), MINUTE) }) => ({
    users: users + 1,
    timer,
  }))
  return () =>
    clock.update(({ users, timer }) => {
      if (users > 1) return { users: users - 1, ...(timer && { timer }) }
      clearInterval(timer)
      return { users: 0 }
    })
}
