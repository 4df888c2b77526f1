import { useEffect, useRef } from 'react'
import { useHeldPage, useLeaveGuard } from '#web/parts/use-leave-guard.ts'

interface LeftEditor {
  isChanged: boolean
  /** It could be stored as it is. */
  isRight: boolean
  save: () => void
}

/**
 * An editor that goes with its page, by Back or by a key, is saved as one that is left; what cannot be stored, and a page
 * that is closed, is asked about first. What it gives is called when the editor has had its end.
 */
export function useLeftEditor(now: LeftEditor): () => void {
  const latest = useRef(now)
  useEffect(() => {
    latest.current = now
  })
  const isDone = useRef(false)
  useHeldPage(now.isChanged)
  useLeaveGuard(now.isChanged && !now.isRight)
  useEffect(
    () => () => {
      const { isChanged, isRight, save } = latest.current
      if (isChanged && isRight && !isDone.current) save()
    },
    [],
  )
  return () => {
    isDone.current = true
  }
}
