/** The minute of a moment, as a timestamp: the resolution of `last_used_at` (additions §2). */
export const minuteOf = (time: number): string => new Date(time - (time % 60_000)).toISOString()
