import css from '#web/parts/level.module.css'

/** More variants than these are drawn in proportion. */
const MAX_BARS = 6

/** Bars filled up to the position of a variant in its Select: its order is seen before its name is read. */
export function Level({ position, count }: { position: number; count: number }) {
  const bars = Math.min(count, MAX_BARS)
  const filled = count <= MAX_BARS ? position + 1 : Math.max(1, Math.round(((position + 1) * bars) / count))
  const width = bars * 5 - 1
  return (
    <svg className={css.level} width={width} height={12} viewBox={`0 0 ${width} 12`} aria-hidden>
      {Array.from({ length: bars }, (_, i) => {
        const height = bars === 1 ? 12 : 4 + (8 * i) / (bars - 1)
        return (
          <rect
            key={i}
            className={i < filled ? css.filled : css.empty}
            x={i * 5}
            y={12 - height}
            width={4}
            height={height}
            rx={1}
          />
        )
      })}
    </svg>
  )
}
