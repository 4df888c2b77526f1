import { Level } from '#web/parts/level.tsx'
import type { VariantLook } from '#web/rules/variant-look.ts'
import css from '#web/parts/variant-sign.module.css'

/** Before the name of a Select's variant: bars up to its place, or a tick where it is closed. */
export function VariantSign({ look: { hue, closed, position, count } }: { look: VariantLook }) {
  if (!closed && position < 0) return null
  return (
    <span className={css.sign} data-hue={hue ?? undefined}>
      {closed ? (
        <svg className={css.closed} viewBox="0 0 16 16" aria-hidden focusable={false}>
          <circle cx={8} cy={8} r={7} />
          <path d="M5 8.2 7.2 10.4 11 6" />
        </svg>
      ) : (
        <Level position={position} count={count} />
      )}
    </span>
  )
}
