import { useEffect, useEffectEvent, useRef } from 'react'
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
  const isDone = useRef(false)
  const leave = useEffectEvent(() => {
    if (now.isChanged && now.isRight && !isDone.current) now.save()
  })
  useHeldPage(now.isChanged)
  useLeaveGuard(now.isChanged && !now.isRight)
  useEffect(() => () => leave(), [])
  return () => {
    isDone.current = true
  }
}
