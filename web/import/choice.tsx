import { Select } from '#web/parts/select.tsx'

/** A value, its words, and the group that it stands in. */
export type Choice = readonly [value: string, words: string, group?: string]

interface ChoiceProps {
  label: string
  value: string
  options: readonly Choice[]
  onValue: (value: string) => void
}

/** One of a list. */
export function ChoiceList({ label, value, options, onValue }: ChoiceProps) {
  const groups = [...Map.groupBy(options, ([, , group]) => group)]
  const shown = (some: readonly Choice[]) =>
    some.map(([each, words]) => (
      <option key={each} value={each}>
        {words}
      </option>
    ))
  return (
    <Select aria-label={label} value={value} onChange={(event) => onValue(event.target.value)}>
      {groups.map(([group, some]) =>
        group === undefined ? (
          shown(some)
        ) : (
          <optgroup key={group} label={group}>
            {shown(some)}
          </optgroup>
        ),
      )}
    </Select>
  )
}
