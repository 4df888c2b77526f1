const itemsWords = (count: number): string => (count === 1 ? '1 deleted item' : `${count} deleted items`)

/** The warning that paths end at deleted items, where they do (further §18). */
export const deletedOnPaths = (count: number): string[] =>
  count ? [`Paths lead to ${itemsWords(count)}, behind which there is no value`] : []

/** The same of groups whose keys are deleted items. */
export const deletedKeys = (count: number): string[] =>
  count ? [`The groups of ${itemsWords(count)} are among these`] : []
