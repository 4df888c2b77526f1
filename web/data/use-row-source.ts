import { useEffect, useState } from 'react'
import { onItemsChanged } from '#web/data/items-changed.ts'
import { renewRows } from '#web/data/renew-rows.ts'
import { RowSource } from '#web/data/row-source.ts'
import type { Question } from '#web/rules/table-state.ts'

/** Of an undo of more items than these all is read again: where the rows were that are gone is not known of most. */
const MANY = 500

/**
 * The rows that answer the question. A new question ends the old one; until its first rows are there, the old ones are
 * shown. `turn` asks the same once more.
 */
export function useRowSource(question: Question, turn = 0): { source: RowSource | null; isOld: boolean } {
  const [shown, setShown] = useState<RowSource | null>(null)
  const [again, setAgain] = useState(0)
  const key = JSON.stringify(question)
  useEffect(() => {
    // Made in the effect: one from useMemo would be closed for good by the second mount of StrictMode.
    const source = new RowSource(JSON.parse(key) as Question)
    const show = () => {
      if (!source.isEmptyYet) setShown(source)
    }
    const stop = source.subscribe(show)
    source.setViewport(0, 1)
    const over = new AbortController()
    const stopRenewing = onItemsChanged((changed) => {
      // What was stays as it was.
      if (source.question.as_of !== undefined) return
      const readAgain = () => setAgain((before) => before + 1)
      if (changed.isUndo && changed.item_ids.size > MANY) return readAgain()
      renewRows(source, changed, over.signal).then(
        (done) => done === 'brought back' && readAgain(),
        // What cannot be read now is read when somebody asks again.
        () => undefined,
      )
    })
    return () => {
      over.abort()
      stopRenewing()
      stop()
      source.close()
    }
  }, [key, turn, again])
  return { source: shown, isOld: shown !== null && JSON.stringify(shown.question) !== key }
}
