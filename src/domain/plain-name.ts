/** What turns, hides or breaks what stands around it: control characters and those of direction (Unicode UAX #9). */
const CONTROLS = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu

/** A name that somebody else gave, where a person decides by it: nothing in it changes what stands around it. */
export const plainName = (name: string): string => name.replaceAll(CONTROLS, '')
