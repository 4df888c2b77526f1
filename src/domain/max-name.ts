/** Characters of the name of an item, an account, a view or a key. */
export const MAX_NAME = 1000
