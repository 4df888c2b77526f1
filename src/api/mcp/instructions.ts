/** What a client may tell its model of the service as a whole; the tools say the rest. */
export const INSTRUCTIONS = `Facet keeps items: a name, an optional HTML description, and any number of tags. A tag is a named schema of typed fields; applying it to an item gives the item values for them.
Look at the tags first (get_tags): their fields and variants are what filters and values are made of.
Find items with get_items and a filter, an object with exactly one key: {"has_tag": "Task"}, {"Task.due": {"lt": "2026-02-01"}}, {"Task.status": {"match": "open"}}, {"search": "text"}, {"Task.project->name": {"contains": "x"}}, or {"and": […]}, {"or": […]}, {"not": …}. validate_filter and explain_query say what a filter means and why it finds nothing.
Lists answer at most 100 elements unless limit is given; a second text block holds warnings and the arguments of the following page (next). Ask for few properties with fields.
Bulk tools and purge_deleted_items take dry_run: look at what would happen before you do it.`
