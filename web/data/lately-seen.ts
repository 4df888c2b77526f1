import { useEffect, useMemo } from 'react'
import { ID } from '#web/rules/pins.ts'
import { Slot, useSlot } from '#web/store.ts'

/** As many as are remembered, in this browser, for each account; by id alone, so that no name outlasts a session. */
const MOST = 10

const keyOf = (user_id: string) => `facet.lately.${user_id}`
/** Counts what was stored: the ids themselves are in the browser. */
const turn = new Slot('lately_seen', 'page', () => 0)
const renew = () => turn.update((before) => before + 1)

const read = (user_id: string): string => localStorage.getItem(keyOf(user_id)) ?? ''

/** Somebody has looked at an item. */
export function keepSeen(user_id: string, item_id: string): void {
  const before = read(user_id).split(' ')
  if (before[0] === item_id) return
  const ids = [item_id, ...before.filter((each) => each && each !== item_id)].slice(0, MOST)
  localStorage.setItem(keyOf(user_id), ids.join(' '))
  renew()
}

/** Ids of the items that somebody has looked at, the last one first. */
export function useLatelySeen(user_id: string | undefined): readonly string[] {
  const text = useSlot(turn, () => (user_id === undefined ? '' : read(user_id)))
  useEffect(() => {
    const elsewhere = () => renew()
    addEventListener('storage', elsewhere)
    return () => removeEventListener('storage', elsewhere)
  }, [])
  return useMemo(() => text.split(' ').filter((each) => ID.test(each)), [text])
}
