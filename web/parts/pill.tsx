import { Icon } from '#web/parts/icon.tsx'
import { pillHue, type VariantLook } from '#web/rules/variant-look.ts'
import css from '#web/parts/pill.module.css'

interface PillProps {
  look: VariantLook
  /** Where it is among all variants; -1: it is none of them any more. */
  position: number
}

/** A variant of a MultiSelect; one that is closed is only outlined. */
export function Pill({ look, position }: PillProps) {
  return (
    <span
      className={`${css.pill} ${look.closed ? css.closed : ''}`}
      data-hue={pillHue(look, position) ?? undefined}
    >
      {look.closed && <Icon name="check" size={12} />}
      <span className={css.name}>{look.name}</span>
    </span>
  )
}
