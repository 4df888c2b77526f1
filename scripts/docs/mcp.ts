import { VERSION } from '#src/domain/version.ts'
import { toolsOf, type Tool } from '#src/api/tools.ts'
import { operations } from '#src/operations/index.ts'
import { schemaWords, type JsonSchema } from './schema-words.ts'

export const file = 'docs/reference/mcp.md'

const ABOUT = `# The MCP server

Facet speaks the [Model Context Protocol](https://modelcontextprotocol.io) so that agents work on the same base by the same rules as people. How to connect one: [connect an agent](../how-to/connect-an-agent.md).

## Two transports

| | the event stream | Streamable HTTP |
|---|---|---|
| address | \`GET /api/mcp/sse\`, \`POST /api/mcp/message\` | \`/api/mcp\` |
| protocol version | always \`2024-11-05\` | what client and SDK agree on |
| an answer | in the body of the POST, and as a \`message\` event on the stream | in the body of the POST |
| kept between requests | the open stream | nothing |

Both want a session cookie, a [key](authentication.md#keys) or the token of an [app](authentication.md#apps), act as its account, and leave \`mcp\` as the source in the audit log. The server is \`items-mcp\` ${VERSION}, the version of the service; its one capability is \`tools\`.

- The first event of a stream is \`endpoint\`; its data is the path to post to, \`/api/mcp/message?session_id=…\`. Without \`session_id\` a message is answered too, and the answer goes to every open stream of the session.
- A stream belongs to its user and session, key or app. It closes when that ends. A user may hold 100. A comment line every 15 seconds keeps proxies awake.
- Methods: \`initialize\`, \`notifications/initialized\`, \`ping\`, \`tools/list\`, \`tools/call\`. Calls before \`initialize\` work. A notification is answered with 202 and no body; \`notifications/cancelled\` has no effect, because requests are not kept by their ids. Over Streamable HTTP, closing the request ends a read, and a change of many items before it is made.
- Over Streamable HTTP a client of an earlier protocol may send up to 100 messages in one array, each request with an id of its own; each counts for [RATE_LIMIT](http.md#how-often).

- \`/api/mcp?tools=read\` has only the tools that read, \`?tools=core\` those of daily work, \`?tools=all\` (the default) all; tools that are not listed are unknown there, and another word is 400. Apps ask for the resource without the query.

## Answers

A call that goes well answers \`content\` with one text block: the JSON that REST would answer, without \`hash\`, \`details_hash\` and \`details_salt\` of events, an \`id\` beside an equal \`item_id\`, \`tag_id\` or \`view_id\`, and empty \`metrics\`; with \`proof: true\` it is whole. Where there is more to say, a second text block holds JSON with some of these:

| | |
|---|---|
| \`warnings\` | what a filter says that can never match |
| \`hints\` | of a search that found nothing: up to three conditions that find nothing by themselves, and whether one would if case were ignored |
| \`total\` | the number of all matches, where \`count\` asked for it |
| \`next\` | the arguments to add to the same call for the following page, or part |
| \`description\` | which characters of a description came, where it came in part |

Lists answer at most 100 elements unless \`limit\` is given; items and tags then come newest first unless \`sort\` is given. \`fields\` names the properties to return of each element. A page ends after 60,000 characters.

An item comes whole, with texts of up to 1 MiB. To read less of them, call \`get_item\` with \`texts_from: 0\`: it answers as much of the description and of values of more than 3,000 characters, the shortest first, as fits into 60,000 characters with the rest of the item, and \`next\` goes on; or ask \`get_items\` with \`{"filter": {"id": …}, "fields": […]}\` for single values.

## Failures

| what | answer |
|---|---|
| a tool cannot do what it was asked (wrong arguments, nothing there, a conflict) | a result with \`isError: true\` and text that begins with \`Error:\`, names every fault with its place and says what would be right; what else belongs to it (conflicts, the items concerned, how long to wait) follows as JSON, at most 30,000 characters |
| the body is not JSON | error -32700 |
| it is not a JSON-RPC 2.0 request (a batch, for example), or a notification has an id | error -32600 |
| an unknown method | error -32601 |
| an unknown tool, a call without a name, or a cursor of \`tools/list\` (it comes whole) | error -32602 |
| no session | HTTP 401 with REST's error body |
| a \`session_id\` that is not the caller's | HTTP 404 with REST's error body |
| the 101st stream | HTTP 429 with \`Retry-After\` |

All but the last three are HTTP 200; on \`/api/mcp\` JSON that is no message is HTTP 400.

## Tools
`

/** The transports in words, and every tool from its definition. */
export function text(): string {
  return [ABOUT, ...toolsOf(operations).toSorted(byName).map(section)].join('\n')
}

const byName = (a: Tool, b: Tool) => (a.name < b.name ? -1 : 1)

function section({ name, description, inputSchema, annotations, operation }: Tool): string {
  const input = inputSchema as JsonSchema
  const facts = [
    annotations.readOnlyHint
      ? 'Reads.'
      : annotations.destructiveHint
        ? 'Changes, and takes away.'
        : 'Changes.',
    ...(operation.rest
      ? [
          `As ${[operation.rest]
            .flat()
            .map((route) => `\`${route}\``)
            .join(', ')}.`,
        ]
      : []),
  ]
  const rows = Object.entries(input.properties ?? {}).map(([argument, schema]) => {
    const required = input.required?.includes(argument) ? '**required** ' : ''
    return `| \`${argument}\` | ${cell(schemaWords(schema))} | ${required}${cell(schema.description ?? '')} |`
  })
  const table = rows.length ? ['', '| argument | type | |', '|---|---|---|', ...rows] : []
  return [`### \`${name}\``, '', ...paragraphs(description), '', facts.join(' '), ...table, ''].join('\n')
}

/** The example as code, the rest as it is. */
const paragraphs = (description: string) =>
  description
    .split('\n')
    .flatMap((line, i) => [
      ...(i ? [''] : []),
      line.startsWith('Example: ') ? `Example: \`${line.slice('Example: '.length)}\`` : line,
    ])

const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll('|', '\\|')
