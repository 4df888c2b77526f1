import { Listbox } from '#web/parts/listbox.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { hasTagValue, readHasTag } from '#web/rules/condition.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import css from '#web/filter/condition-editor.module.css'

/** No tag has this name: names have no line breaks at their ends. */
const NO_TAG = '\n'

const signOf = (name: string) => (name === NO_TAG ? null : <TagSign tag={name} />)

interface HasTagEditorProps {
  value: unknown
  onValue: (value: unknown) => void
  tags: readonly FilterTag[]
}

/** A tag, or none at all. */
export function HasTagEditor({ value, onValue, tags }: HasTagEditorProps) {
  const form = value === undefined ? undefined : readHasTag(value)
  const named = tags.find(({ tag_id, name }) => tag_id === form?.tag || name === form?.tag)
  const below = named && tags.some((tag) => tag.extends.includes(named.tag_id))
  const chosen = form ? (form.tag === null ? NO_TAG : (named?.name ?? form.tag)) : ''
  const exact = form?.exact ?? false
  return (
    <>
      <Listbox
        label="Tag"
        autoFocus={value === undefined}
        value={chosen}
        placeholder="Choose a tag"
        signOf={signOf}
        options={[
          ...(form?.tag && !named ? [[form.tag, `${form.tag} (not there)`] as const] : []),
          ...tags.map(({ name }) => [name, name] as const),
          [NO_TAG, 'No tag at all'],
        ]}
        onValue={(name) => onValue(hasTagValue(name === NO_TAG ? null : name, exact))}
      />
      {(below || exact) && form?.tag != null && (
        <label className={css.check}>
          <input
            type="checkbox"
            checked={exact}
            onChange={(event) => onValue(hasTagValue(form.tag, event.target.checked))}
          />
          This tag itself, not those that extend it
        </label>
      )}
    </>
  )
}
