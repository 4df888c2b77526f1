/** Of the package and its API; a test compares it with package.json. */
export const VERSION = '0.1.0'
