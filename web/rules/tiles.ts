/** Pixels that a tile has at least, and of what is written under its picture. */
const LEAST = 190
const LEAST_ON_PHONES = 150
const WORDS = 96
const PHONE = 640
/** Rows of tiles drawn above and below what is seen. */
const BEYOND = 1

/** Which tiles of a gallery are in sight, and how large they are. */
export function tilesIn({
  width,
  height,
  top,
  total,
}: {
  width: number
  height: number
  top: number
  total: number
}) {
  const across = Math.max(1, Math.floor(width / (width < PHONE ? LEAST_ON_PHONES : LEAST)))
  // A picture is 4 to 3.
  const tileHeight = Math.round((width / across) * 0.75) + WORDS
  const first = Math.max(0, Math.floor(top / tileHeight) - BEYOND) * across
  const last = Math.min(total, (Math.ceil((top + height) / tileHeight) + BEYOND) * across)
  return { across, tileHeight, first: Math.min(first, Math.max(0, total - 1)), last }
}

/** Where a key leads; undefined for keys that do not move. */
export function movedTile(
  key: string,
  from: number,
  { across, total }: { across: number; total: number },
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: across,
    ArrowUp: -across,
    PageDown: 3 * across,
    PageUp: -3 * across,
    Home: -total,
    End: total,
  }
  const by = steps[key]
  if (by === undefined) return undefined
  const to = from + by
  // In the last row there may be none beneath: there one stays.
  if (key === 'ArrowUp' && to < 0) return from
  return Math.max(0, Math.min(total - 1, to))
}
