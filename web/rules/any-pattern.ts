/** Stands for `#src/domain/pattern.ts` in the browser, where no RE2 is: the service judges patterns. */
export const MAX_PATTERN_LENGTH = 1000

export const patternFault = (_pattern: string): string | undefined => undefined
