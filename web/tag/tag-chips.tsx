import { useId } from 'react'
import { Chip } from '#web/parts/chip.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import css from '#web/tag/tag-chips.module.css'

interface TagChipsProps {
  label: string
  hint?: string
  chosen: readonly string[]
  options: readonly { tag_id: string; name: string }[]
  onChange: (chosen: string[]) => void
}

const signOf = (tag_id: string) => <TagSign tag={tag_id} />

/** Tags chosen among others: each with a way to take it out, and one list to add. */
export function TagChips({ label, hint, chosen, options, onChange }: TagChipsProps) {
  const id = useId()
  const left = options.filter(({ tag_id }) => !chosen.includes(tag_id))
  const nameOf = (tag_id: string) => options.find((each) => each.tag_id === tag_id)?.name ?? 'deleted tag'
  return (
    <div className={css.chips}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <div className={css.list}>
        {chosen.map((tag_id) => (
          <Chip
            key={tag_id}
            remove={`Remove ${nameOf(tag_id)}`}
            onRemove={() => onChange(chosen.filter((each) => each !== tag_id))}
          >
            <TagSign tag={tag_id} size="bare" /> {nameOf(tag_id)}
          </Chip>
        ))}
        <Listbox
          id={id}
          value=""
          placeholder={chosen.length ? 'Add another' : left.length ? 'Choose a tag' : 'No other tag'}
          disabled={!left.length}
          signOf={signOf}
          options={left.map(({ tag_id, name }) => [tag_id, name] as const)}
          onValue={(tag_id) => onChange([...chosen, tag_id])}
        />
      </div>
      {hint && <p className={css.hint}>{hint}</p>}
    </div>
  )
}
