import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { IconButton } from '#web/parts/button.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { Field } from '#web/parts/field.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import {
  FIELD_TYPES,
  type FieldDraft,
  type FieldType,
  hasVariants,
  isReferring,
  newVariant,
} from '#web/rules/tag-draft.ts'
import type { DraftEdit } from '#web/tag/draft-edit.ts'
import { FieldLookEditor } from '#web/tag/field-look-editor.tsx'
import { TagChips } from '#web/tag/tag-chips.tsx'
import { TYPE_WORDS } from '#web/rules/type-words.ts'
import { VariantList } from '#web/tag/variant-list.tsx'
import css from '#web/tag/field-row.module.css'

interface FieldRowProps {
  field: FieldDraft
  edit: DraftEdit
  /** Just added: its name is typed next. */
  isNew: boolean
  isDragged: boolean
  onGrip: (event: PointerEvent<HTMLElement>) => void
  onKeyDown: (event: KeyboardEvent) => void
  onEnter: () => void
}

/** A field: its name, its type, and what the type needs. */
export function FieldRow({ field, edit, isNew, isDragged, onGrip, onKeyDown, onEnter }: FieldRowProps) {
  const { key, name, type, description, of, variants, hints } = field
  const [isOpen, setOpen] = useState(false)
  const fault = edit.faults.get(key)
  const change = (changes: Partial<FieldDraft>) => edit.change(key, (now) => ({ ...now, ...changes }))
  const retype = (next: FieldType) =>
    change({ type: next, ...(hasVariants(next) && !variants.length && { variants: [newVariant()] }) })
  const shown = name.trim() || 'this field'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the inputs within
    <li className={`${css.row} ${isDragged ? css.dragged : ''}`} data-reorder={key} onKeyDown={onKeyDown}>
      <div className={css.line}>
        <span className={css.grip} title="Drag, or Alt ↑ and Alt ↓" onPointerDown={onGrip}>
          <Icon name="grip" />
        </span>
        <input
          className={css.name}
          aria-label={name ? `Name of the field ${name}` : 'Name of the new field'}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${key}-fault` : undefined}
          placeholder="Name of the field"
          autoComplete="off"
          autoFocus={isNew}
          value={name}
          onChange={(event) => edit.rename(key, event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !name.trim()) return
            event.preventDefault()
            onEnter()
          }}
        />
        <Listbox
          className={css.type}
          label={`Type of ${shown}`}
          value={type}
          options={FIELD_TYPES.map((each) => [each, TYPE_WORDS[each]] as const)}
          onValue={retype}
        />
        <IconButton
          icon={isOpen ? 'chevron_down' : 'text'}
          label={`Description and look of ${shown}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton icon="trash" label={`Remove ${shown}`} onClick={() => edit.change(key, () => null)} />
      </div>
      {fault && (
        <FaultLine id={`${key}-fault`} className={css.fault}>
          {fault}
        </FaultLine>
      )}
      {(isOpen || isReferring(type) || hasVariants(type) || description) && (
        <div className={css.more}>
          {(isOpen || description) && (
            <Field
              label={`What ${shown} means`}
              hint="People see it at the heading, agents read it."
              maxLength={10_000}
              value={description}
              onChange={(event) => change({ description: event.target.value })}
            />
          )}
          {isOpen && (
            <FieldLookEditor
              name={shown}
              type={type}
              look={hints?.type === type ? hints.look : {}}
              onLook={(look) => change({ hints: { type, look } })}
            />
          )}
          {isReferring(type) && (
            <TagChips
              label="Items of"
              hint="Whose items are offered first; others can be chosen all the same."
              chosen={of}
              options={edit.tags}
              onChange={(next) => change({ of: next })}
            />
          )}
          {hasVariants(type) && (
            <VariantList field={field} edit={edit} onVariants={(next) => change({ variants: next })} />
          )}
        </div>
      )}
    </li>
  )
}
