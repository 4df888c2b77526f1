/** Signs that a tag may have (further §22). What each looks like is for those who show it. */
export const SIGNS = [
  'bell',
  'book',
  'bookmark',
  'box',
  'briefcase',
  'bug',
  'building',
  'calendar',
  'camera',
  'car',
  'chart',
  'chat',
  'check',
  'clock',
  'cloud',
  'code',
  'coffee',
  'cube',
  'database',
  'file',
  'flag',
  'flask',
  'folder',
  'gift',
  'globe',
  'heart',
  'home',
  'image',
  'key',
  'leaf',
  'lightbulb',
  'link',
  'list',
  'lock',
  'mail',
  'map',
  'money',
  'music',
  'people',
  'person',
  'phone',
  'plane',
  'rocket',
  'server',
  'shield',
  'star',
  'tag',
  'target',
  'tool',
  'truck',
  'warning',
] as const
export type Sign = (typeof SIGNS)[number]

/** How a tag looks: a hint for those who show it. */
export interface TagLook {
  sign?: Sign
  /** 0 to 359. */
  hue?: number
}

/** What came from elsewhere, as far as it is one. */
export function asTagLook(value: unknown): TagLook | null {
  if (typeof value !== 'object' || value === null) return null
  const { sign, hue } = value as Record<string, unknown>
  const known = SIGNS.find((each) => each === sign)
  const isHue = Number.isInteger(hue) && (hue as number) >= 0 && (hue as number) < 360
  return known || isHue ? { ...(known && { sign: known }), ...(isHue && { hue: hue as number }) } : null
}
