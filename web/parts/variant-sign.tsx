import { Level } from '#web/parts/level.tsx'
import { HUES } from '#web/rules/hues.ts'
import type { VariantLook } from '#web/rules/variant-look.ts'
import css from '#web/parts/variant-sign.module.css'

/** An end that is marked red is no success. */
const isRed = (hue: number | null) => hue !== null && RED.has(hue)
const RED = new Set([HUES.indexOf('Red'), HUES.indexOf('Rose')])

/** Before the name of a Select's variant: bars up to its place; where it is closed a tick, or in red a cross. */
export function VariantSign({ look: { hue, closed, position, count } }: { look: VariantLook }) {
  if (!closed && position < 0) return null
  return (
    <span className={css.sign} data-hue={hue ?? undefined}>
      {closed ? (
        <svg className={css.closed} viewBox="0 0 16 16" aria-hidden focusable={false}>
          <circle cx={8} cy={8} r={7} />
          <path d={isRed(hue) ? 'm5.5 5.5 5 5m0-5-5 5' : 'M5 8.2 7.2 10.4 11 6'} />
        </svg>
      ) : (
        <Level position={position} count={count} />
      )}
    </span>
  )
}
