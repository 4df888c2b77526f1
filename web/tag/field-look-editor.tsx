import { Field } from '#web/parts/field.tsx'
import { Segments } from '#web/parts/segments.tsx'
import type { FieldLook } from '#web/rules/shown-value.ts'
import { sayNumber } from '#web/rules/shown-value.ts'
import type { FieldType } from '#web/rules/tag-draft.ts'
import css from '#web/tag/field-look-editor.module.css'

interface FieldLookEditorProps {
  /** Of the field. */
  name: string
  type: FieldType
  look: FieldLook
  onLook: (look: FieldLook) => void
}

const TEXTS = [
  ['', 'Text'],
  ['long', 'Long text'],
  ['email', 'E-mail'],
  ['url', 'Web address'],
  ['phone', 'Phone'],
] as const

const NUMBERS = [
  ['', 'Number'],
  ['percent', 'Percent'],
] as const

const PLACES = [
  ['behind', 'Behind'],
  ['before', 'Before'],
] as const

const AS_GIVEN = -1
const DECIMALS = [
  [AS_GIVEN, 'As given'],
  ...[0, 1, 2, 3, 4].map((each) => [each, String(each)] as const),
] as const

const EXAMPLE = 1234.5
const EXAMPLE_SHARE = 0.125

/** How the values of a field are shown: they stay what they are. */
export function FieldLookEditor({ name, type, look, onLook }: FieldLookEditorProps) {
  const put = (key: keyof FieldLook, value: string | number | boolean | undefined) => {
    const { [key]: _, ...rest } = look
    onLook(value === undefined ? rest : { ...rest, [key]: value })
  }
  if (type === 'String')
    return (
      <Segments
        label={`How ${name} is shown`}
        options={TEXTS}
        value={look.format ?? ''}
        onChoose={(format) => put('format', format || undefined)}
      />
    )
  if (type === 'Number') return <NumberLook name={name} look={look} put={put} onLook={onLook} />
  if (type === 'Date' || type === 'DateTime')
    return (
      <label className={css.check}>
        <input
          type="checkbox"
          checked={look.relative === true}
          onChange={({ target }) => put('relative', target.checked || undefined)}
        />
        Shown relative to now: “in 3 days”, “yesterday”
      </label>
    )
  return null
}

interface NumberLookProps extends Pick<FieldLookEditorProps, 'name' | 'look' | 'onLook'> {
  put: (key: keyof FieldLook, value: string | number | undefined) => void
}

function NumberLook({ name, look, put, onLook }: NumberLookProps) {
  const decimals = look.decimals ?? AS_GIVEN
  const some = DECIMALS.some(([each]) => each === decimals)
  const changeUnit = (unit: string) => {
    const { unit: _, unit_at, ...rest } = look
    // Spaces alone are no unit, and without one there is no place for it.
    onLook(unit.trim() ? { ...rest, unit, ...(unit_at && { unit_at }) } : rest)
  }
  return (
    <div className={css.parts}>
      <Segments
        label={`How ${name} is shown`}
        options={NUMBERS}
        value={look.format ?? ''}
        onChoose={(format) => put('format', format || undefined)}
      />
      <Segments
        label="Decimals"
        options={some ? DECIMALS : [...DECIMALS, [decimals, String(decimals)]]}
        value={decimals}
        onChoose={(next) => put('decimals', next === AS_GIVEN ? undefined : next)}
      />
      <div className={css.unit}>
        <Field
          label="Unit"
          placeholder="€, km, h"
          maxLength={20}
          autoComplete="off"
          value={look.unit ?? ''}
          onChange={(event) => changeUnit(event.target.value)}
        />
      </div>
      {look.unit && (
        <Segments
          label="Its place"
          options={PLACES}
          value={look.unit_at ?? 'behind'}
          onChoose={(at) => put('unit_at', at === 'behind' ? undefined : at)}
        />
      )}
      <p className={css.example}>
        {sayNumber({ type: 'Number', ...look }, look.format === 'percent' ? EXAMPLE_SHARE : EXAMPLE)}
        {look.format === 'percent' && <span> is stored as {EXAMPLE_SHARE}</span>}
      </p>
    </div>
  )
}
