/** The reader's own, by which "today" is meant. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
