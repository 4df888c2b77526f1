import { FILTER_GUIDE } from '#src/api/filter-guide.ts'

/** What a client may tell its model of the service as a whole; the tools say the rest. */
export const INSTRUCTIONS = `Facet keeps items: a name, an optional HTML description, and any number of tags. A tag is a named schema of typed fields; applying it to an item gives the item values for them. Where a tag is meant, its id or its name will do.
Look at the tags first (get_tags): their fields and variants are what filters and values are made of.
Ask in a sentence with {"search": {"text": "when did we choose Kysely?", "match": "any"}}: items with any of the words, best first, also where a word is mistyped; give other words for the same as a list in text.
With snippets: true each item comes with the place that was met; a search by phrase or words that finds nothing names the nearest items.
get_items finds items (fields: ["name", "Task.due", "Task.assignee->name"] gives single values, limit 0 with count only counts), aggregate_items counts and sums by group, get_backlinks says what refers to an item. explain_query says why a filter finds nothing, or why an item is not in it.
Lists answer at most 100 elements unless limit is given; a second text block holds warnings and the arguments of the following page (next). Arguments of one name mean the same in every tool; the first tool of the list says what. Hashes and doubled ids are left out (proof: true brings them).
Change many at once: bulk_update_field_values by one filter, batch for different changes, upsert_items for a table, merge_items for duplicates. With dry_run they only say what would happen. undo_changes takes a change back by the change_id beside its answer.
${FILTER_GUIDE}`
