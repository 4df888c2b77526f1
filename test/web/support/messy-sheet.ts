/** So many that nobody looks through them, in the ways in which people write. */
export const ROWS = 20_000

/** A sheet whose dates are written in four ways; fourteen of them are none. */
export function messySheet(): string {
  const day = (i: number) => {
    const [d, m, y] = [1 + (i % 28), 1 + (i % 12), 1990 + (i % 40)]
    if (i % 2000 === 7) return '31.2.2019'
    if (i % 5000 === 11) return 'soon'
    if (i % 5 === 0) return `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
    return i % 3 ? `${d}.${m}.${y}` : `${String(d).padStart(2, '0')}.${String(m).padStart(2, '0')}.${y}`
  }
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `Visit ${i};${day(i)};${i % 3 ? 'open' : 'done'};${i},5`,
  )
  return ['title;seen on;state;price', ...rows].join('\r\n')
}
