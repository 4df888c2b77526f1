import { useRef, useState } from 'react'

/** Runs one piece of work at a time: what is pressed again before it is done does not run again. */
export function useBusy(): [isBusy: boolean, alone: (work: () => Promise<unknown>) => Promise<void>] {
  const [isBusy, setBusy] = useState(false)
  const running = useRef(false)
  const alone = async (work: () => Promise<unknown>) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await work()
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return [isBusy, alone]
}
