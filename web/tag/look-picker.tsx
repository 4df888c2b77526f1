import { Popover } from '#web/parts/popover.tsx'
import { FaceSign } from '#web/parts/tag-sign.tsx'
import { HUES, hueIndex, hueOfIndex } from '#web/rules/hues.ts'
import { faceOf, SIGNS, type TagLook } from '#web/rules/tag-face.ts'
import { HuePicker } from '#web/tag/hue-picker.tsx'
import css from '#web/tag/look-picker.module.css'

interface LookPickerProps {
  /** Of the tag, as it is typed. */
  name: string
  look: TagLook
  /** The colour that it has by itself. */
  derivedHue: number
  onLook: (look: TagLook) => void
}

/** A tag's face, and pressed what it may be instead: a sign of the set, a colour of the palette. */
export function LookPicker({ name, look, derivedHue, onLook }: LookPickerProps) {
  const face = faceOf({ name, look }, derivedHue)
  const { sign: _, ...withoutSign } = look
  const { hue: __, ...withoutHue } = look
  const own = faceOf({ name }, derivedHue)
  return (
    <div className={css.around}>
      <span className={css.title}>Sign</span>
      <Popover
        label="Sign and colour"
        buttonLabel={`Sign and colour: ${look.sign ?? 'by the name'}, ${HUES[face.hue ?? 0]}`}
        buttonClassName={css.button}
        button={<FaceSign face={face} size="m" />}
      >
        {() => (
          <div className={css.picker} data-hue={face.hue}>
            <HuePicker
              label="Colour"
              none="By itself"
              noneHue={derivedHue}
              hue={look.hue === undefined ? null : hueIndex(look.hue)}
              onHue={(hue) => onLook(hue === null ? withoutHue : { ...look, hue: hueOfIndex(hue) })}
            />
            <fieldset className={css.group}>
              <legend>Sign</legend>
              <div className={css.signs}>
                {[undefined, ...SIGNS].map((sign) => (
                  <label key={sign ?? ''} className={css.sign} title={sign ?? 'By the name'}>
                    <input
                      type="radio"
                      name="tag-sign"
                      aria-label={sign ?? 'By the name'}
                      checked={look.sign === sign}
                      onChange={() => onLook(sign ? { ...look, sign } : withoutSign)}
                    />
                    <FaceSign face={{ ...own, hue: face.hue, sign: sign ?? own.sign }} size="bare" />
                  </label>
                ))}
              </div>
            </fieldset>
          </div>
        )}
      </Popover>
    </div>
  )
}
