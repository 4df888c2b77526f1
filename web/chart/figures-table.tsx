import css from '#web/chart/charts.module.css'

interface FiguresTableProps {
  label: string
  rows: readonly { name: string; count: number; onPick?: () => void }[]
}

/** A chart for anyone who would rather read it. */
export function FiguresTable({ label, rows }: FiguresTableProps) {
  return (
    <div className={css.scroll} role="region" aria-label={label} ref={makeStop}>
      <table className={css.figures}>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col">Items</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, onPick }) => (
            <tr key={name}>
              <td>
                {onPick ? (
                  <button type="button" className={css.pick} onClick={onPick}>
                    {name}
                  </button>
                ) : (
                  name
                )}
              </td>
              <td>{count.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Keys scroll it. */
function makeStop(element: HTMLDivElement | null): void {
  if (element) element.tabIndex = 0
}
