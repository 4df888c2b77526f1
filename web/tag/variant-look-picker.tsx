import type { ReactNode } from 'react'
import { Popover } from '#web/parts/popover.tsx'
import { hueIndex, hueOfIndex } from '#web/rules/hues.ts'
import type { DraftLook } from '#web/rules/tag-draft.ts'
import { HuePicker } from '#web/tag/hue-picker.tsx'
import css from '#web/tag/look-picker.module.css'

interface VariantLookPickerProps {
  name: string
  look: DraftLook
  /** As it looks now. */
  sign: ReactNode
  onLook: (look: DraftLook) => void
}

/** The colour of a variant, and whether whoever has it is done with. */
export function VariantLookPicker({ name, look, sign, onLook }: VariantLookPickerProps) {
  const { hue, ...withoutHue } = look
  const { closed, ...withoutClosed } = look
  return (
    <Popover
      label={`Colour of ${name || 'this variant'}`}
      buttonLabel={`Colour of ${name || 'this variant'}`}
      buttonClassName={css.button}
      button={sign}
    >
      {() => (
        <div className={css.picker}>
          <HuePicker
            label="Colour"
            none="None of its own"
            noneHue={null}
            hue={hue === undefined ? null : hueIndex(hue)}
            onHue={(next) => onLook(next === null ? withoutHue : { ...look, hue: hueOfIndex(next) })}
          />
          <label className={css.check}>
            <input
              type="checkbox"
              checked={closed === true}
              onChange={({ target }) => onLook(target.checked ? { ...look, closed: true } : withoutClosed)}
            />
            Closed: whoever has it is done with
          </label>
        </div>
      )}
    </Popover>
  )
}
