import { useRef, useState } from 'react'
import type { Item } from '#web/data/item-query.ts'
import { useSaveDescription } from '#web/item/save-description.ts'
import { toast } from '#web/parts/toast.tsx'

/** Boxes that are ticked where a description is read: shown at once, stored one after the other. */
export function useTicks(item: Item): { html: string | null; tick: (html: string) => void } {
  const save = useSaveDescription(item)
  const [ahead, setAhead] = useState<string>()
  const wanted = useRef<string>(undefined)
  const isRunning = useRef(false)
  const store = async () => {
    let over = item.description
    while (wanted.current !== undefined && wanted.current !== over) {
      const answer = await save(wanted.current, over)
      if ('saved' in answer) {
        over = answer.saved
        continue
      }
      const text =
        'fault' in answer
          ? answer.fault.message
          : 'Somebody has changed the description meanwhile: nothing was ticked'
      toast({ text, kind: 'danger' })
      break
    }
  }
  const tick = (html: string) => {
    wanted.current = html
    setAhead(html)
    if (isRunning.current) return
    isRunning.current = true
    void store().finally(() => {
      isRunning.current = false
      wanted.current = undefined
      setAhead(undefined)
    })
  }
  return { html: ahead ?? item.description, tick }
}
