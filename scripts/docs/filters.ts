import { ANY, OPERATORS, type Operator } from '#src/filter/language/operators.ts'
import { MAX_HOPS, MAX_IDS, MAX_LEAVES, MAX_NESTING, parseFilter } from '#src/filter/language/parse-filter.ts'
import { MAX_PATTERN_LENGTH } from '#src/domain/pattern.ts'
import type { SubjectType } from '#src/filter/language/subject.ts'

export const file = 'docs/reference/filters.md'

/** The filter language; operators and limits from the code that reads them. */
export function text(): string {
  const rows = Object.entries<Operator>(OPERATORS).map(
    ([name, { appliesTo, operand, meaning }]) =>
      `| \`${name}\` | ${appliesWords(appliesTo)} | ${operand.requires} | ${meaning} |`,
  )
  return `${[BEFORE, '| Operator | Applies to | Takes | Matches when |', '|---|---|---|---|', ...rows, '', VALUES, ...examples(), '', AFTER].join('\n')}\n`
}

const EXAMPLES: readonly [wanted: string, filter: object][] = [
  ['a range', { and: [{ 'Task.due': { gte: '2026-02-01' } }, { 'Task.due': { lt: '2026-03-01' } }] }],
  ['one of several variants', { 'Task.status': { in: ['open', 'doing'] } }],
  ['not yet done, by the order of the variants', { 'Task.status': { lt: 'done' } }],
  ['not done, or without a status', { and: [{ has_tag: 'Task' }, { not: { 'Task.status': 'done' } }] }],
  ['with another status than done', { 'Task.status': { neq: 'done' } }],
  ['tasks that nobody has', { and: [{ has_tag: 'Task' }, { 'Task.assignee': null }] }],
  [
    'both labels, whatever others',
    { and: [{ 'Task.labels': { match: 'home' } }, { 'Task.labels': { match: 'work' } }] },
  ],
  ['these labels and no other', { 'Task.labels': { eq: ['home', 'work'] } }],
  ['by what a reference leads to', { 'Task.assignee->name': { starts_with: 'Ada' } }],
  ['two references on', { 'Task.assignee->Person.team->name': 'Garden' }],
  ['whose assignee has a tag', { 'Task.assignee->has_tag': 'Person' }],
  ['whose reference leads nowhere any more', { 'Task.assignee': { dangling: true } }],
  ['people with an open task', { '<-Task.assignee': { 'Task.status': 'open' } }],
  [
    'projects with at least 3 tasks that are due',
    { '<-Task.project': { filter: { 'Task.due': { lte: { today: 0 } } }, count: { gte: 3 } } },
  ],
  ['without any tag', { has_tag: null }],
  ['that changed within seven days', { changed_between: [{ today: -7 }, { now: 'PT0S' }] }],
  ['words in any case', { and: [{ search: 'water' }, { search: 'plant' }] }],
  ['a pattern', { name: { regex: '(?i)^re:' } }],
  [
    'due within a week',
    { and: [{ 'Task.due': { gte: { today: 0 } } }, { 'Task.due': { lt: { today: 7 } } }] },
  ],
  ['changed in the last six hours', { updated_at: { gte: { now: '-PT6H' } } }],
  ['changed since a day', { updated_at: { gte: '2026-02-01' } }],
  ['these items', { id: { in: ['01JJXZ5T7GQ3M8K4B9R2C6D0EF', '01JJXZ5T7GQ3M8K4B9R2C6D0EG'] } }],
  ['without any of two tags', { not: { or: [{ has_tag: 'Task' }, { has_tag: 'Person' }] } }],
]

function examples(): string[] {
  return EXAMPLES.map(([wanted, filter]) => {
    const [fault] = parseFilter(filter).faults
    if (fault) throw new Error(`the example '${wanted}': ${fault.message}`)
    return `| ${wanted} | \`${JSON.stringify(filter)}\` |`
  })
}

/** The columns that are of a type. */
const COLUMNS: Partial<Record<SubjectType, string>> = {
  Text: 'name, description',
  Id: 'id',
  Time: 'created_at, updated_at',
}

function appliesWords(types: readonly SubjectType[]): string {
  const rest = types.filter((type) => !ANY.includes(type))
  if (types.length - rest.length < ANY.length) return types.map((type) => COLUMNS[type] ?? type).join(', ')
  return ['every field, name, description', ...rest.map((type) => COLUMNS[type])].join(', ')
}

const BEFORE = `# Filter language

A filter is a JSON object with exactly one key. The same filters find items, select the targets of bulk changes and are kept in views. Every condition is true or false for an item, never unknown, so \`not\` is exact inversion.

\`\`\`json
{"and": [
  {"has_tag": "Task"},
  {"Task.status": {"lt": "done"}},
  {"not": {"Task.assignee->Person.team": "garden"}}
]}
\`\`\`

| Key | Value | True of an item when |
|---|---|---|
| \`and\` | array of at least 2 filters | all are true |
| \`or\` | array of at least 2 filters | at least one is true |
| \`not\` | a filter | the filter is not true |
| \`search\` | text, or \`{"text": …, "in": […], "match": …}\` | name or description contains it, as a reader reads them: the description without markup, both without accents, in any case, a run of white space as a blank (\`ambiguous utopia\` finds \`<em>ambiguous</em> utopia\`, \`sao tome\` finds \`São Tomé\`); \`""\` is true of every item. \`in\` says where, of \`name\`, \`description\` and \`values\` (String values and names of variants); \`"match": "words"\` finds all words (up to 100) in any order and any of the places, \`"match": "any"\` one of them at least, best first ([how it ranks](relevance.md)). \`text\` may be a list of 1 to 20 other words for the same (\`["car price", "Autopreis"]\`): one of them is enough |
| \`has_tag\` | name or id of a tag, \`{"name": {"eq": …}}\` or \`{"id": …}\`, with \`"exact": true\` or without; null | it has the tag, or one that extends it over any number of levels (\`exact\`: the tag itself); null: it has no tag at all |
| \`name\`, \`description\` | test | the text satisfies the test; an item without a description satisfies only tests for no value |
| \`id\` | \`eq\`, \`neq\`, \`in\`, or a bare id | it is the item of this id, in any case (\`in\`: one of up to ${MAX_IDS} ids) |
| \`created_at\`, \`updated_at\` | \`eq\`, \`neq\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, or a bare time | the time satisfies the test, compared as a point in time |
| \`changed_between\` | \`[from, before]\`: two timestamps, date-times, dates or relative times | an event of its own (its history has them) happened from the first time on and before the second; a first time after the second is 400 |
| \`<Tag>.<field>\` | test | its value satisfies the test; without the tag or the field the value is null |
| \`<-<Tag>.<ref>\` | a filter, or \`{"filter": …, "count": {"gte": 3}}\` | some living item refers to it by that field and satisfies the filter, or this many do (\`eq\`, \`neq\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`) |
| \`<Tag>.<ref>->…->end\` | test | following the references leads to an item that lives and satisfies the end |

A tag is named by its name or its id, and an id wins. A key splits at its last dot, so a tag's name may hold dots. Where a tag is called \`<-Task\`, \`<-Task.owner\` is its field, and \`<-\` with the id of Task asks who refers. A sub-field is named like a field. The end of a traversal is \`<Tag>.<field>\`, \`has_tag\`, \`name\`, \`description\`, \`id\`, \`created_at\`, \`updated_at\` or \`changed_between\`; a null or dangling reference leads nowhere, so the filter is false and its \`not\` true.

A test is a value or an object with one operator. A bare string, number or boolean means \`eq\`, a bare null \`{"is_null": true}\`.

## Operators
`

const VALUES = `## How values compare

- **String, name, description**: by Unicode code point, case counts. Name and description are texts and not String fields: they take every operator of a String, but a date in them is not compared as a point in time. In \`eq\`, \`neq\`, \`in\` and the orders a String or Date field compares as a point in time when both sides are a date \`YYYY-MM-DD\` (its midnight) or \`YYYY-MM-DDTHH:MM:SS\`.
- **Select**: by the name of the variant, \`"open"\` or, behind \`eq\`, \`neq\` and \`in\`, \`{"variant": "open"}\`; in the orders by its position in the tag's current schema. A variant that has left the schema can be found by name and has no position.
- **MultiSelect**: \`eq\` compares whole sets, \`in\` and \`match\` compare the chosen variants one by one; an empty array is a value.
- **DateTime**: as a point in time, with a date (its midnight in UTC) or a date-time with or without an offset (without: UTC). Other text never matches.
- **Reference**: by the id of the item, in any case. \`eq\` also finds the id of a deleted or purged item, because the reference is still there.
- **MultiReference**: as a MultiSelect, of ids: \`eq\` compares whole sets, \`in\` and \`match\` compare the ids one by one. \`->\` follows all of them: the condition is true where some referenced item satisfies the rest.
- **id, created_at, updated_at**: an id in any case; a time as a point in time with a timestamp, a date-time or a date \`YYYY-MM-DD\` (its midnight), with an offset or without (then UTC).
- **Relative times**: where a date, date-time or timestamp is compared, the operand may be \`{"today": -7}\` (midnight this many days from today) or \`{"now": "-PT6H"}\` (an ISO 8601 duration from now; years, months and days go by the calendar). It is today where the request's \`time_zone\` (an IANA name) says, else where the setting \`TIME_ZONE\` does. Date and String fields are compared with what clocks there show, \`created_at\` and \`updated_at\` with the moment. A view keeps them as they are.
- **Types that differ** never match, and \`neq\` then matches what has a value; so also a value that was kept from an older schema and does not fit the field's present type. A kept value counts as the present type where it would be a valid value of it: \`2024-02-29\` kept from a String is a Date, the id of an item that is or was is a Reference. A field that is not in the schema is null.
- **Operands**: \`eq\` and \`neq\` take a string, number, boolean, null, \`{variant}\` or an array of strings, \`in\` an array of anything but arrays. Another shape is refused with 400; the right shape for another type of field matches nothing and warns.
- **Patterns** have the syntax of [RE2](https://github.com/google/re2/wiki/Syntax): no look-around, no back-references, time linear in the text.

## What \`search\` reads

The name, and the description without markup, both folded by NFKD (of a run of more than 30 combining marks the first 30) without the marks U+0300–036F and by case; of each text the first 1,000,000 folded characters count.

- **White space.** A run of white space counts as one blank in names, descriptions and the text that is searched for. Around a description there is none.
- **What is not shown.** Soft hyphens, zero-width spaces and joiners, marks of direction and variation selectors (Unicode's Default_Ignorable_Code_Point) are left out, in what is searched for too: \`Datenbank\` finds \`Daten&shy;bank\`. None of them parts words or is one.
- **Markup.** Tags and comments are left out, and with \`script\`, \`style\` and \`template\` their content; a block's tag is a blank. What only looks like a tag (\`1 < 2\`, \`a<b\` without an end) is text. The character references of HTML 4 and numbers are decoded, others are taken as they are written.
- **Tags** are searched by their text as it is stored, by simple case folding.

## Values that are not there

A field is null where it was never given, where null was given, and on every item without its tag. Null equals nothing and comes neither before nor after anything:

- \`null\`, \`{"is_null": true}\` and \`{"exists": false}\` ask for it, and find items without the tag too: add \`has_tag\` where those are not meant.
- \`{"neq": null}\` asks whether there is a value, also of a File, to which \`neq\` does not apply otherwise.
- \`{"neq": x}\` leaves it out, except on a Boolean; \`{"not": {… x}}\` does not.

## Warnings

An operator that does not apply to the field's type, a variant that the schema does not have and a field that the tag does not have match nothing and are no error. \`POST /api/filters/validate\` and \`POST /api/filters/explain\` name them, the first of them with the operators that do apply, and a search does in the header \`X-Filter-Warnings\`.

## Examples

| Wanted | Filter |
|---|---|`

const AFTER = `## What a filter says of a new item

An item that is made inside of a view should appear in it. \`POST /api/filters/defaults\` answers the name, tags and values that a filter asks for, ready for \`POST /api/items\`, which takes a \`view_id\` to the same end (for tags and values: the name comes with the request). \`eq\`, bare values, \`match\` and the first fitting value of \`in\` give a value, other conditions on a field the tag alone; negations give nothing, and of an \`or\` the first branch counts that gives something.

- \`eq\`, a bare value and \`match\` give their value; \`in\` its first value that the field takes. Every other positive condition on \`Tag.field\`, and a traversal that begins there, gives the tag without a value.
- In an \`or\` such a tag alone does not count: the first branch that says a name, a tag by \`has_tag\` or a value is used, and only if there is none the first that implies a tag.
- What comes first in an \`and\` wins; variants of a MultiSelect are gathered.
- A value that would be refused (an unknown variant, a reference to an item that is gone, a blank name) is left out. A sub-field brings the variant that it needs, or gives way where another is asked for. So the answer is always a valid body, apart from the name where the filter gives none.

## Limits

| What | At most |
|---|---|
| hops of a traversal (one that is followed backwards counts too) | ${MAX_HOPS} |
| \`and\`, \`or\`, \`not\` within each other | ${MAX_NESTING} |
| conditions | ${MAX_LEAVES} |
| characters of a regular expression | ${MAX_PATTERN_LENGTH} |

An \`or\` of a thousand conditions that an index serves takes a few tenths of a second at 100,000 items. What no index serves (\`contains\` of a field, long patterns) is searched item by item and condition by condition: a filter with too much of that ends at \`QUERY_TIMEOUT\` with 503, and keeps nobody else waiting. A condition beside it in an \`and\` that finds few items is what helps.

## Filters of tags

\`POST /api/tags/search\` takes \`and\`, \`or\`, \`not\`, \`search\`, \`name\` and \`description\`, with the same meaning for a tag's name and description.

## Errors

A filter that cannot be read is a 400. Its message is that of the first fault; \`details.errors\` has every fault with its path and, where a name was probably mistyped, a suggestion. With several faults the message ends with \`(and n more, see details.errors)\`. Faults of structure come before faults of names, so the limit of hops is met before any name is resolved. \`->\` after a field that the tag does not have is refused like \`->\` after a field of another type; a \`Tag.field\` at the end that does not exist is null and warns.

| Fault | Message |
|---|---|
| \`{}\` | Filter object cannot be empty |
| several keys | Filter object must have exactly one key |
| another key | Unknown filter. Expected: and, or, not, search, has_tag, name, description, or Tag.field |
| \`and\` or \`or\` of fewer than 2 | 'and' requires at least 2 filters |
| no such tag | Tag 'X' not found |
| a key that is no \`Tag.field\` | Invalid dot-notation: 'X' |
| too many hops | Reference traversal exceeds max depth of 5 hops |
| \`->\` after another field | '->' must follow a Reference field, and 'Task.title' is a String |
| no such operator | Unknown operator 'x'. Expected: eq, neq, … |
| another type of operand | 'gt' requires a number, string, or date |`
