import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#web/parts/button.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { useHoldOpen } from '#web/parts/popover.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { useTyped } from '#web/parts/use-typed.ts'
import { useHoldUnsettled } from '#web/parts/unsettled.ts'
import { type Condition, readCondition, subjectKind, writeCondition } from '#web/rules/condition.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { ChangedEditor } from '#web/filter/changed-editor.tsx'
import { FieldPicker, nameOf } from '#web/filter/field-picker.tsx'
import { HasTagEditor } from '#web/filter/has-tag-editor.tsx'
import { ReverseEditor } from '#web/filter/reverse-editor.tsx'
import { SearchEditor } from '#web/filter/search-editor.tsx'
import { TestEditor } from '#web/filter/test-editor.tsx'
import css from '#web/filter/condition-editor.module.css'

export interface ConditionEditorProps {
  /** null: a new one, which begins with what it is about. */
  condition: Filter | null
  /** Gets only what is whole; of a new one with `commit` once it is added. */
  onChange: (condition: Filter) => void
  onRemove?: (() => void) | undefined
  onDone: () => void
  /** What the button says that adds it; without it each change counts at once. */
  commit?: string | undefined
  tags: readonly FilterTag[]
  /** Tags whose fields come first. */
  first: readonly string[]
}

const NEW: Condition = { not: false, hops: [], subject: '', value: undefined }

/** What it is about, how it is compared, with what. */
export function ConditionEditor(props: ConditionEditorProps) {
  const { condition, onChange, onRemove, onDone, commit, tags, first } = props
  const [now, setNow] = useState<Condition>(() => (condition && readCondition(condition)) ?? NEW)
  const [picking, setPicking] = useState<readonly string[] | null>(now.subject ? null : [])
  const [isCounted, setCounted] = useState(condition !== null)
  const [isRefused, setRefused] = useState(false)
  const change = (changes: Partial<Condition>) => {
    const next = { ...now, ...changes }
    setNow(next)
    setRefused(false)
    if (commit || !next.subject || next.value === undefined) return
    setCounted(true)
    onChange(writeCondition(next))
  }
  const around = useRef<HTMLDivElement>(null)
  const isPicked = picking === null
  // What it is about is chosen, and that does not count yet.
  const isBegun = isPicked && now.subject !== '' && (commit !== undefined || now.value === undefined)
  const { isTyped, onInput } = useTyped()
  // What is typed and no value is here alone.
  useLeaveGuard(isBegun && isTyped)
  useHoldOpen(isBegun)
  useHoldUnsettled(isBegun, () => {
    setRefused(true)
    if (around.current) valueIn(around.current)?.focus()
  })
  useEffect(() => {
    // What was picked is compared next; a value that takes the focus by itself has it already.
    const form = around.current
    if (!isPicked || !form || (form.contains(document.activeElement) && isText(document.activeElement)))
      return
    valueIn(form)?.focus()
  }, [isPicked])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    // Nothing, or something that is no value.
    if (now.value === undefined) return setRefused(true)
    if (commit && now.subject) onChange(writeCondition(now))
    onDone()
  }
  if (picking)
    return (
      <FieldPicker
        tags={tags}
        first={first}
        hops={picking}
        onHops={setPicking}
        onPick={({ subject }) => {
          const same = subject === now.subject
          setPicking(null)
          change({ hops: picking, subject, value: same ? now.value : undefined })
        }}
      />
    )
  return (
    <form className={css.form} onInput={onInput} onSubmit={submit}>
      <div className={css.row}>
        <button
          type="button"
          className={css.trail}
          onClick={() => setPicking(now.hops)}
          title="Another field"
        >
          {[...now.hops, now.subject].map((key, i) => (
            <span key={`${i} ${key}`}>
              {i > 0 && <span className={css.step}>→ </span>}
              {subjectName(key, tags)}
            </span>
          ))}
        </button>
      </div>
      <div ref={around} className={css.form}>
        <Comparison key={now.subject} now={now} onValue={(value) => change({ value })} tags={tags} />
      </div>
      {isRefused && isBegun && (
        <FaultLine>
          {now.value === undefined ? 'It has no value yet' : 'It is not added yet'}: it does not count.
        </FaultLine>
      )}
      <div className={css.foot}>
        <label className={css.check}>
          <input
            type="checkbox"
            checked={now.not}
            onChange={(event) => change({ not: event.target.checked })}
          />
          Not: all others
        </label>
        <div className={css.row}>
          {onRemove && (
            <Button
              kind="quiet"
              icon="trash"
              onClick={() => {
                onRemove()
                onDone()
              }}
            >
              Remove
            </Button>
          )}
          {isBegun && !isCounted && (
            <Button kind="quiet" onClick={onDone}>
              Leave it out
            </Button>
          )}
          <Button
            type="submit"
            kind={commit ? 'primary' : 'plain'}
            disabled={!!commit && now.value === undefined}
          >
            {commit ?? 'Done'}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Behind how it is compared. */
function valueIn(form: HTMLElement): HTMLElement | undefined {
  const all = form.querySelectorAll<HTMLElement>('[role=combobox], input, textarea')
  return all[1] ?? all[0]
}

const isText = (element: Element | null): boolean => element !== null && element.matches('input, textarea')

const NAMES: Readonly<Record<string, string>> = {
  search: 'Any text',
  name: 'Name',
  description: 'Description',
  has_tag: 'Has tag',
  created_at: 'Created',
  updated_at: 'Changed',
  changed_between: 'Changed between',
  id: 'Id',
}

const subjectName = (key: string, tags: readonly FilterTag[]): string =>
  NAMES[key] ?? (key.startsWith('<-') ? `← ${key.slice(2)}` : nameOf(key, tags))

interface ComparisonProps {
  now: Condition
  onValue: (value: unknown) => void
  tags: readonly FilterTag[]
}

function Comparison({ now: { subject, value }, onValue, tags }: ComparisonProps) {
  const about = subjectKind(subject, tags)
  switch (about.kind) {
    case 'search':
      return <SearchEditor value={value} onValue={onValue} />
    case 'has_tag':
      return <HasTagEditor value={value} onValue={onValue} tags={tags} />
    case 'changed':
      return <ChangedEditor value={value} onValue={onValue} />
    case 'reverse':
      return <ReverseEditor value={value} onValue={onValue} tags={tags} field={about.field} />
    case 'value':
      return <TestEditor type={about.type} field={about.field} value={value} onValue={onValue} />
    case 'unknown':
      return <p className={css.note}>There is no such field, or not any more. Choose another one.</p>
  }
}
