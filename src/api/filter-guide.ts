/**
 * The operators by the type of what they are about (additions §12): one line each, of which the part before a
 * parenthesis or a full stop names them. A test holds it against the operators.
 */
export const OPERATOR_TABLE = `every field but File, name, description: eq, neq, in, exists, is_null
every field: outdated (true: a value that does not fit the present schema, also of a field that was removed; false: one that fits)
String, name, description: contains, starts_with, ends_with, regex, matches, gt, gte, lt, lte (case counts; RE2, (?i) ignores case)
File: eq, contains, starts_with, ends_with, regex, matches, exists, is_null (of the name of some file)
Number, Date, DateTime: gt, gte, lt, lte ("2026-01-31", "2026-01-31T09:30:00Z", {"today": -7} days, {"now": "-PT6H"})
Select: match, gt, gte, lt, lte, select_gt, select_gte, select_lt, select_lte (operand: a variant's name; by the order of the variants)
MultiSelect: match (has this variant; eq compares as sets; in: has any of them)
Reference: dangling (true: its item is deleted; operands are item ids)
MultiReference: match, dangling (has this item; eq and in as MultiSelect)
id: eq, neq, in
created_at, updated_at: eq, neq, gt, gte, lt, lte
No value: only is_null, exists: false and eq: null are true, so neq and comparisons are false; not inverts exactly and is then true. Of a Boolean neq is true without a value. An empty text is a value: eq: "" finds it.`

/** The whole filter language on a page. */
export const FILTER_GUIDE = `A filter is a JSON object with exactly one key:
- {"and": [f, f, …]}, {"or": [f, f, …]} (at least two), {"not": f}
- {"search": "text"}: in name or description, ignoring case and accents, where contains minds case; {"search": {"text": "a b", "match": "words", "in": ["name", "values"]}}: all words, also in values; {"search": {"text": "when did we choose Kysely?", "match": "any"}}: any of them, best first; text may be a list of other words for the same
- {"changed_between": [{"today": -7}, "2026-01-31"]}: with a change of its own from the one time on and before the other
- {"has_tag": "Task"}: the tag or one that extends it; null: no tag at all
- {"name": …}, {"description": …}, {"id": …}, {"created_at": …}, {"updated_at": …}: the item's own
- {"Task.due": …}: a field of a tag; one of a Select's variant in the same way: {"Task.finished_on": …}; items without the tag have no value
- {"Task.project->Project.owner->name": …}: follows references, at most 5 (one target is enough), to a field, name, description or has_tag; where it leads nowhere even null is false: {"not": {"Task.project->Project.owner": {"exists": true}}} finds these too
- {"<-Task.project": f}: some item that refers to it by that field satisfies f; {"<-Task.project": {"filter": f, "count": {"gte": 3}}}: this many
The value is a bare value (equals; null: has no value) or an object with exactly one operator:
${OPERATOR_TABLE}
A variant or field that does not exist matches nothing: read the warnings. Examples:
{"and": [{"has_tag": "Task"}, {"Task.due": {"lt": "2026-02-01"}}, {"not": {"Task.status": {"match": "done"}}}]}
{"or": [{"Task.assignee->name": {"contains": "Ann"}}, {"Task.assignee": {"exists": false}}]}`
