/** Tables that may have rows of deleted items for a while, and the views that show those of the others. */
const VIEWS = { field_value: 'live_value', item_text: 'live_text', item_trigram: 'live_trigram' } as const

const READ = new RegExp(String.raw`\b(?:${Object.keys(VIEWS).join('|')})\b(?! match)`, 'g')
const WRITTEN = new RegExp(
  String.raw`^(?:insert into|update|delete from) "(?:${Object.keys(VIEWS).join('|')})"`,
)
const LEAVES = 'insert into "leaving_item"'

/** The statement as it reads those tables while some items are leaving; what writes to them is to reach all rows. */
export const readingLiveRows = (text: string): string =>
  WRITTEN.test(text) ? text : text.replace(READ, (table) => VIEWS[table as keyof typeof VIEWS])

/** Whether items are leaving once the statement has run. */
export const letsItemsLeave = (text: string): boolean => text.startsWith(LEAVES)
