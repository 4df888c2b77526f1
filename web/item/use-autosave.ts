import { useEffect, useRef, useState } from 'react'
import type { Fault } from '#web/api/fault.ts'
import type { Item } from '#web/data/item-query.ts'
import { beforeSignOut } from '#web/parts/unsaved.ts'
import { draftOf, dropDraft, keepDraft } from '#web/item/description-drafts.ts'
import { toast } from '#web/parts/toast.tsx'
import { useHeldTab } from '#web/parts/use-leave-guard.ts'
import { useSaveDescription } from '#web/item/save-description.ts'
import { bothDescriptions } from '#web/rules/description-text.ts'

/** Milliseconds after the last key. */
const AFTER = 800

export interface Autosave {
  text: string
  setText: (text: string) => void
  state: 'as begun' | 'typing' | 'saving' | 'saved' | 'stopped'
  fault: Fault | undefined
  /** The item as somebody else has written it meanwhile. */
  other: Item | undefined
  takeOther: () => void
  replaceOther: () => void
  /** Theirs, and mine beneath it. */
  takeBoth: () => void
  /** Saves what is not saved yet; true where all of it is. */
  flush: () => Promise<boolean>
}

/**
 * A description that is saved while it is written. What somebody else has written meanwhile stops it: neither text is
 * lost, and the writer says which one stays.
 */
export function useAutosave(item: Item): Autosave {
  // Left before, and not saved: it is offered again.
  const [draft] = useState(() => draftOf(item.item_id))
  const [text, show] = useState(draft?.text ?? item.description ?? '')
  const [state, setState] = useState<Autosave['state']>('as begun')
  const [fault, setFault] = useState<Fault>()
  const [other, setOther] = useState<Item>()
  const save = useSaveDescription(item)
  /** Against what it is written: another state of the description is somebody else's. */
  const over = useRef<string | null>(draft ? draft.over : item.description)
  const newest = useRef(text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<boolean>>(undefined)
  const stopped = useRef(false)

  const run = async (): Promise<boolean> => {
    const given = newest.current.trim() ? newest.current : null
    if (given === over.current) return true
    setState('saving')
    const answer = await save(given, over.current)
    if ('saved' in answer) {
      over.current = answer.saved
      setFault(undefined)
      if ((newest.current.trim() ? newest.current : null) !== given) return run()
      setState('saved')
      return true
    }
    setState('stopped')
    if ('fault' in answer) setFault(answer.fault)
    else {
      stopped.current = true
      setOther(answer.other)
    }
    return false
  }
  const flush = async (): Promise<boolean> => {
    clearTimeout(timer.current)
    if (stopped.current) return false
    running.current ??= run().finally(() => (running.current = undefined))
    return running.current
  }
  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  const { item_id, name } = item
  useEffect(() => {
    dropDraft(item_id)
    if (draft) void latest.current()
  }, [draft, item_id])
  // Anyone who leaves has finished; anyone who signs out waits until it is saved. What cannot be is kept.
  useEffect(() => {
    const letGo = beforeSignOut(() => latest.current())
    return () => {
      const keep = (isSaved: boolean) => {
        letGo()
        if (isSaved) return
        keepDraft(item_id, { text: newest.current, over: over.current })
        toast({
          text: `Your description of ${name} is not saved. Its text is still here: open the item and edit it.`,
          kind: 'danger',
        })
      }
      latest.current().then(keep, () => keep(false))
    }
    // oxlint-disable-next-line react/exhaustive-deps -- as it was opened
  }, [])
  useHeldTab(state === 'typing' || state === 'saving' || state === 'stopped')

  const setText = (given: string) => {
    newest.current = given
    show(given)
    setState('typing')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void latest.current(), AFTER)
  }
  const goOn = (written: Item) => {
    over.current = written.description
    stopped.current = false
    setOther(undefined)
  }
  return {
    text,
    setText,
    state,
    fault,
    other,
    takeOther: () => {
      goOn(other!)
      setText(other!.description ?? '')
    },
    takeBoth: () => {
      goOn(other!)
      setText(bothDescriptions(other!.description ?? '', newest.current))
    },
    replaceOther: () => {
      goOn(other!)
      void flush()
    },
    flush,
  }
}
