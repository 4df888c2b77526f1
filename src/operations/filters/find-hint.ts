import { conditionsOf } from '#src/filter/meaning/filter-conditions.ts'
import { ignoringCase } from '#src/filter/meaning/ignoring-case.ts'
import { filterWords } from '#src/filter/words/filter-words.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { readAsked } from '#src/operations/views/narrowed-view.ts'
import { someMatching } from '#src/storage/search/matching-items.ts'

interface HintInput {
  filter?: Record<string, unknown>
  view_id?: string
  time_zone?: string
  /** Of the condition that is looked at. */
  index: number
}

export interface Hint {
  /** Null where the condition finds something by itself. */
  hint: string | null
  /** There are further conditions. */
  more: boolean
}

/** Whether one condition of a filter that finds nothing finds nothing by itself, and would if case did not count. */
export const findHint = defineStep<HintInput, Hint>({
  name: 'findHint',
  effect: 'read',
  async run(context, { filter: own, view_id, index }) {
    const { db } = context
    const asked = await readAsked(context, own, view_id)
    if (!asked) return { hint: null, more: false }
    const { filter, planOf } = asked
    const conditions = conditionsOf(filter)
    const condition = conditions[index]
    const more = index + 1 < conditions.length
    if (!condition) return { hint: null, more: false }
    const plan = planOf(condition.filter)
    if (await someMatching(db, plan)) return { hint: null, more }
    const loose = ignoringCase(plan)
    const would = loose && (await someMatching(db, loose)) ? ', but would if case were ignored' : ''
    return { hint: `${filterWords(condition.filter)}: finds nothing by itself${would}`, more }
  },
})
