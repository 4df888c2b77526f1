import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button, IconButton } from '#web/parts/button.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { VariantSign } from '#web/parts/variant-sign.tsx'
import { type FieldDraft, newField, newVariant, type VariantDraft } from '#web/rules/tag-draft.ts'
import { pillHue, type VariantLook, variantLooks } from '#web/rules/variant-look.ts'
import type { DraftEdit } from '#web/tag/draft-edit.ts'
import { useReorder } from '#web/parts/use-reorder.ts'
import { VariantLookPicker } from '#web/tag/variant-look-picker.tsx'
import css from '#web/tag/variant-list.module.css'

interface VariantListProps {
  field: FieldDraft
  edit: DraftEdit
  onVariants: (variants: VariantDraft[]) => void
}

/** The variants of a Select or MultiSelect in their order; those of a Select can have fields of their own. */
export function VariantList({ field, edit, onVariants }: VariantListProps) {
  const { variants, type, name } = field
  const looks = draftLooks(variants)
  const { dragged, onPointerDown, onKeyDown } = useReorder(variants, onVariants)
  const [added, setAdded] = useState<string | null>(null)
  const names = useRef(new Map<string, HTMLInputElement>())
  const put = (key: string, changes: Partial<VariantDraft>) =>
    onVariants(variants.map((each) => (each.key === key ? { ...each, ...changes } : each)))
  const addAfter = (at: number, names: readonly string[] = ['']) => {
    const some = names.map((each) => newVariant(each))
    setAdded(some.at(-1)!.key)
    onVariants(variants.toSpliced(at + 1, 0, ...some))
  }
  const remove = (at: number) => {
    const left = variants.toSpliced(at, 1)
    flushSync(() => onVariants(left))
    names.current.get(left[Math.max(0, at - 1)]?.key ?? '')?.focus()
  }
  const onKey = (at: number, variant: VariantDraft) => (event: KeyboardEvent) => {
    if (event.key === 'Enter') addAfter(at)
    else if (event.key === 'Backspace' && !variant.name && variants.length > 1) remove(at)
    else return
    event.preventDefault()
  }
  const onPaste = (at: number, variant: VariantDraft) => (event: ClipboardEvent) => {
    const lines = event.clipboardData
      .getData('text')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    if (lines.length < 2 || variant.name) return
    event.preventDefault()
    onVariants(variants.toSpliced(at, 1, { ...variant, name: lines[0]! }, ...lines.slice(1).map(newVariant)))
  }
  return (
    <div className={css.around}>
      <p className={css.title}>
        Variants, in order{type === 'Select' && ': filters and sorting know what is before and after'}
      </p>
      <ul className={css.list} aria-label={`Variants of ${name || 'the new field'}`}>
        {variants.map((variant, i) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the inputs within
          <li
            key={variant.key}
            className={`${css.row} ${variant.key === dragged ? css.dragged : ''}`}
            data-reorder={variant.key}
            onKeyDown={onKeyDown(variant.key)}
          >
            <span
              className={css.grip}
              title="Drag, or Alt ↑ and Alt ↓"
              onPointerDown={onPointerDown(variant.key)}
            >
              <Icon name="grip" />
            </span>
            <VariantLookPicker
              name={variant.name}
              look={variant.look}
              sign={
                type === 'Select' ? (
                  <VariantSign look={looks[i]!} />
                ) : (
                  <span className={css.dot} data-hue={pillHue(looks[i]!, i) ?? undefined} />
                )
              }
              onLook={(look) => put(variant.key, { look })}
            />
            <input
              ref={(input) => {
                if (!input) return undefined
                names.current.set(variant.key, input)
                return () => void names.current.delete(variant.key)
              }}
              className={css.name}
              aria-label={variant.name ? `Variant ${variant.name}` : `Variant ${i + 1}`}
              aria-invalid={edit.faults.has(variant.key) ? true : undefined}
              placeholder="Name of the variant"
              autoComplete="off"
              autoFocus={variant.key === added}
              value={variant.name}
              onChange={(event) => put(variant.key, { name: event.target.value })}
              onKeyDown={onKey(i, variant)}
              onPaste={onPaste(i, variant)}
            />
            {type === 'Select' && !variant.fields.length && (
              <IconButton
                icon="plus"
                label={`Give ${variant.name || 'this variant'} a field of its own`}
                onClick={() => put(variant.key, { fields: [newField()] })}
              />
            )}
            <IconButton
              icon="close"
              label={`Remove ${variant.name || 'this variant'}`}
              disabled={variants.length === 1}
              onClick={() => remove(i)}
            />
            {edit.faults.has(variant.key) && (
              <FaultLine className={css.fault}>{edit.faults.get(variant.key)}</FaultLine>
            )}
            {variant.fields.length > 0 && (
              <div className={css.fields}>
                <edit.List
                  isSub
                  of={variant.name || 'this variant'}
                  fields={variant.fields}
                  edit={edit}
                  onFields={(fields) => put(variant.key, { fields })}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      <Button kind="quiet" icon="plus" className={css.add} onClick={() => addAfter(variants.length - 1)}>
        Add a variant
      </Button>
    </div>
  )
}

/** As they will look once they are saved. */
const draftLooks = (variants: readonly VariantDraft[]): VariantLook[] =>
  variantLooks({ type: 'Select', variants: variants.map(({ name, look }) => ({ ...look, name })) })
