import { type FormEvent, useId, useState } from 'react'
import type { Fault } from '#web/api/fault.ts'
import {
  type ChosenLimit,
  givenLimit,
  type Limit,
  LimitFields,
  type RenderFilterBar,
} from '#web/agents/limit-fields.tsx'
import { type ScopeName, SCOPE_WORDS } from '#web/agents/scope-words.ts'
import { Button } from '#web/parts/button.tsx'
import { Field } from '#web/parts/field.tsx'
import { formText } from '#web/parts/form-text.ts'
import { type Choice, Listbox } from '#web/parts/listbox.tsx'
import { resetSent } from '#web/parts/reset-sent.ts'
import { UnsettledHere, useIsSettled, useUnsettled } from '#web/parts/unsettled.ts'
import { useTypedForm } from '#web/parts/use-typed.ts'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { useBusy } from '#web/parts/use-busy.ts'
import css from '#web/parts/settings.module.css'

/** What a key is made of. */
export interface KeyInput {
  name: string
  scope: ScopeName
  expires_in_days?: number
  limit?: Limit
}

interface KeyFormProps {
  fault: Fault | undefined
  renderFilterBar: RenderFilterBar
  /** Whether it was made. */
  onMake: (input: KeyInput) => Promise<boolean>
}

const FORM = 'new-key'
const MISSING = 'Choose a tag, or a condition: what it sees is empty so far.'
const UNSETTLED =
  'The conditions do not count yet. Mend the one that is wrong, or take it away; then make the key.'
const NOTHING: ChosenLimit = { tag_ids: [], filter: null }

const SCOPES = Object.entries(SCOPE_WORDS).map(([scope, { may }]): Choice<ScopeName> => [
  scope as ScopeName,
  may,
])
const PARTS = [
  ['all', 'everything'],
  ['part', 'a part …'],
] as const
const DAYS = [
  ['30', '30 days'],
  ['365', 'a year'],
  ['0', 'ever'],
] as const

/** Makes a key: what for, what it may, for how long, and which part of the base it sees. */
export function KeyForm({ fault, renderFilterBar, onMake }: KeyFormProps) {
  const [scope, setScope] = useState<ScopeName>('write')
  const [days, setDays] = useState<(typeof DAYS)[number][0]>('365')
  const [limit, setLimit] = useState<ChosenLimit | null>(null)
  const [refusal, setRefusal] = useState<string>()
  const unsettled = useUnsettled()
  const isSettled = useIsSettled(unsettled)
  const [isBusy, alone] = useBusy()
  const typed = useTypedForm()
  // Chosen, not typed: the form does not know it.
  useLeaveGuard(limit !== null && !isBusy && (givenLimit(limit) !== undefined || !isSettled))
  const choose = (next: ChosenLimit | null) => {
    setRefusal(undefined)
    setLimit(next)
  }
  const make = async (form: HTMLFormElement) => {
    if (limit && !unsettled.isSettled()) {
      unsettled.show()
      return setRefusal(UNSETTLED)
    }
    const chosen = limit && givenLimit(limit)
    if (limit && !chosen) return setRefusal(MISSING)
    const reset = resetSent(form)
    const isMade = await onMake({
      name: formText(form, 'name').trim(),
      scope,
      ...(days !== '0' && { expires_in_days: Number(days) }),
      ...(chosen && { limit: chosen }),
    })
    if (!isMade) return
    reset()
    choose(null)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void alone(() => make(form))
  }
  const ofLimit = fault?.problemOf('limit')
  const button = (
    <Button type="submit" form={FORM} icon="key" disabled={isBusy}>
      Make a key
    </Button>
  )
  return (
    <UnsettledHere value={unsettled}>
      <form className={css.inline} {...typed} onSubmit={submit} id={FORM}>
        <Field
          label="What it is for"
          name="name"
          required
          maxLength={200}
          autoComplete="off"
          placeholder="Nightly report"
          fault={fault?.problemOf('name') ?? (ofLimit === undefined && fault?.message)}
        />
        <Chosen label="It may" value={scope} options={SCOPES} onValue={setScope} />
        <Chosen
          label="It sees"
          value={limit ? 'part' : 'all'}
          options={PARTS}
          onValue={(part) => choose(part === 'part' ? NOTHING : null)}
        />
        <Chosen label="For" value={days} options={DAYS} onValue={setDays} />
        {!limit && button}
      </form>
      {limit && (
        <LimitFields
          limit={limit}
          onLimit={choose}
          renderFilterBar={renderFilterBar}
          fault={(refusal === UNSETTLED && isSettled ? undefined : refusal) ?? ofLimit}
        />
      )}
      {limit && <div>{button}</div>}
    </UnsettledHere>
  )
}

interface ChosenProps<Value extends string> {
  label: string
  value: Value
  options: readonly Choice<Value>[]
  onValue: (value: Value) => void
}

function Chosen<Value extends string>({ label, ...rest }: ChosenProps<Value>) {
  const id = useId()
  return (
    <div className={css.labelled}>
      <label htmlFor={id}>{label}</label>
      <Listbox id={id} {...rest} />
    </div>
  )
}
