import { useEffect, useState } from 'react'
import { Listbox } from '#web/parts/listbox.tsx'
import {
  choiceOf,
  firstChoice,
  type OperatorChoice,
  operatorChoices,
  readTest,
  type SubjectType,
} from '#web/rules/condition.ts'
import type { FilterField } from '#web/rules/filter-fields.ts'
import { ValueEditor } from '#web/filter/value-editor.tsx'
import css from '#web/filter/condition-editor.module.css'

interface TestEditorProps {
  type: SubjectType
  field: FilterField | undefined
  value: unknown
  onValue: (value: unknown) => void
}

/** How a field is compared, in the words of the operators, and with what. */
export function TestEditor({ type, field, value, onValue }: TestEditorProps) {
  const test = value === undefined ? null : readTest(value)
  const [choice, setChoice] = useState<OperatorChoice | undefined>(() =>
    test ? choiceOf(test, type) : value === undefined ? firstChoice(type) : undefined,
  )
  // Where nothing need be given, choosing it is enough.
  const isWhole = value === undefined && choice?.count === 'none'
  useEffect(() => {
    if (isWhole && choice) onValue({ [choice.operator]: choice.fixed })
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it begins
  }, [isWhole])
  const choices = operatorChoices(type)
  const operand = test && choice?.count !== 'none' ? test.operand : undefined
  const take = (next: OperatorChoice) => {
    setChoice(next)
    const same = choice && next.count === choice.count ? operand : otherCount(operand, next)
    if (next.count === 'none') onValue({ [next.operator]: next.fixed })
    else onValue(same === undefined ? undefined : { [next.operator]: same })
  }
  return (
    <>
      <Listbox
        label="How it is compared"
        value={choice?.words ?? ''}
        placeholder="As the JSON says"
        options={choices.map(({ words }) => [words, words] as const)}
        onValue={(next) => take(choices.find(({ words }) => words === next)!)}
      />
      {choice && choice.count !== 'none' && (
        <ValueEditor
          key={choice.count}
          type={type}
          field={field}
          count={choice.count}
          value={operand ?? undefined}
          onValue={(next) => onValue(next === undefined ? undefined : { [choice.operator]: next })}
        />
      )}
      {!choice && <p className={css.note}>This comparison can be changed as JSON, or replaced here.</p>}
    </>
  )
}

/** One value as a list, the first of several as one. */
function otherCount(operand: unknown, { count }: OperatorChoice): unknown {
  if (operand === undefined || operand === null) return undefined
  if (count === 'many') return Array.isArray(operand) ? operand : [operand]
  return Array.isArray(operand) ? (operand[0] as unknown) : operand
}
