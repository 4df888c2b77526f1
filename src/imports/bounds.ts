/** What an import takes at most (further §15). */
export const MAX_CELL = 1024 * 1024
export const MAX_COLUMNS = 1000
/** Characters of a row: some cells may be long, not all of them. */
export const MAX_ROW = 8 * 1024 * 1024
export const MAX_DEPTH = 64
/** Of an archive, in bytes, in files, by its own size, in archives inside archives. */
export const MAX_UNPACKED = 2 * 1024 ** 3
export const MAX_FILES = 100_000
export const MAX_RATIO = 100
export const MAX_NESTED = 3
/** Rows and left-out files that a reader gives at once. */
export const AT_ONCE = 200
