/** The colours of the palette, which `styles/tokens.css` defines for light and dark, around the circle of hues. */
export const HUES = [
  'Red',
  'Orange',
  'Amber',
  'Olive',
  'Green',
  'Emerald',
  'Teal',
  'Sky',
  'Blue',
  'Violet',
  'Plum',
  'Rose',
] as const

const STEP = 360 / HUES.length

/** The colour of the palette that is nearest to a hue of 0 to 359. */
export const hueIndex = (hue: number): number => Math.round(hue / STEP) % HUES.length

/** The hue that is stored for a colour of the palette. */
export const hueOfIndex = (index: number): number => index * STEP
