/** The number with its point moved, without the noise of a multiplication: 0.07 by 2 → 7. */
export function shiftedPoint(value: number, by: number): number {
  const [digits, exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + by}`)
}
