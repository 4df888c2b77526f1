import css from '#web/table/waiting.module.css'

const LINES = 14

/** Grey bars where rows will be, if they are not there at once. */
export function Waiting() {
  return (
    <div className={css.waiting} aria-busy aria-label="Loading rows" role="img">
      {Array.from({ length: LINES }, (_, i) => (
        <span key={i} style={{ width: `${35 + ((i * 37) % 50)}%` }} />
      ))}
    </div>
  )
}
