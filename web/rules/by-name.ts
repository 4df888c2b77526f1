const collator = new Intl.Collator(undefined, { numeric: true })

/** The order in which people look for names: 2 before 10. */
export const byName = (a: string, b: string): number => collator.compare(a, b)
