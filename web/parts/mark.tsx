import css from '#web/parts/mark.module.css'

/** The sign of Facet: a hexagon cut into facets. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden className={css.mark}>
      <path d="M10 1 18 6v8l-8 5-8-5V6z" className={css.stone} />
      <path d="M10 1v18M2 6l16 8M18 6 2 14" className={css.cut} />
    </svg>
  )
}
