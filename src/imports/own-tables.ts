/** The table of items without a tag, in what we exported. */
export const UNTAGGED = 'Items without a tag'

/** The column of a field, which may be called as what every row has. */
export const ownColumn = (field: string): string =>
  /^(?:item_id|name|description)$/i.test(field) ? `${field} of the tag` : field
