import { Type, type TSchema } from 'typebox'
import type { ErrorCode } from '#src/domain/errors.ts'
import { FollowFilter, FollowView } from '#src/operations/live/live-schemas.ts'
import { TurnInput } from '#src/operations/chats/chat-schemas.ts'
import { ExportInput } from '#src/operations/export/export-schemas.ts'
import { ErrorSchema } from '#src/api/http/openapi/openapi-errors.ts'
import { TOOL_SETS } from '#src/api/mcp/tool-sets.ts'
import type { RouteRow } from '#src/api/http/register-routes.ts'

export interface RouteContent {
  type: string
  schema: TSchema
  example?: unknown
}

export type RouteAnswer = { description: string; also?: readonly RouteContent[] } & Partial<RouteContent>

/** A route that is no operation: how it is registered, and what OpenAPI says of it. */
export type RouteDescription = RouteRow & {
  name: string
  summary: string
  description?: string
  query?: Record<string, TSchema>
  /** Those parameters of the query that must be given. */
  required?: readonly string[]
  body?: RouteContent
  /** By status; without a type there is no body. */
  answers: Record<number, RouteAnswer>
  errors?: readonly ErrorCode[]
}

const JSON_TYPE = 'application/json'
const EVENTS = 'text/event-stream'
const Ok = Type.Object({ status: Type.Literal('ok') })
const Document = Type.Object({}, { additionalProperties: true })
const JsonRpc = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(
      Type.Union([Type.String(), Type.Integer(), Type.Null()], {
        description: 'null where the message could not be read',
      }),
    ),
    method: Type.Optional(Type.String()),
    params: Type.Optional(Document),
    result: Type.Optional(Document),
    error: Type.Optional(
      Type.Object({ code: Type.Integer(), message: Type.String() }, { additionalProperties: true }),
    ),
  },
  { title: 'JsonRpc', description: 'A message of JSON-RPC 2.0' },
)
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const rpcAnswer = {
  description: 'The answer; errors of JSON-RPC come with 200 too',
  type: JSON_TYPE,
  schema: JsonRpc,
  example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
}
const rpcFault = (description: string, code: number, message: string): RouteAnswer => ({
  description,
  type: JSON_TYPE,
  schema: JsonRpc,
  example: { jsonrpc: '2.0', id: null, error: { code, message } },
})
const onlyPost = rpcFault('The path answers to POST alone', -32000, 'Method not allowed.')
const accepted = { description: 'A notification, taken note of' }
const events = (description: string, example: string) => ({
  description,
  type: EVENTS,
  schema: Type.String(),
  example,
})

const toProvider = (name: string): RouteDescription => ({
  name: `signInWith${name}`,
  summary: 'Go to an identity provider and sign in there.',
  description: 'With a session, the identity is linked to its account.',
  access: 'none',
  effect: 'write',
  answers: { 302: { description: 'To the provider (PKCE, state and nonce)' } },
  errors: ['NotFound'],
})
const callback = {
  summary: 'Come back from an identity provider.',
  description: 'A browser (`Accept: text/html`) is redirected to `/?auth_error=<code>` where this fails.',
  access: 'none',
  effect: 'write',
  answers: { 302: { description: 'Signed in: the session cookie is set, on to `/`' } },
  errors: ['BadRequest', 'Forbidden', 'NotFound', 'Conflict'],
} as const
const callbackParameters = {
  code: Type.Optional(Type.String({ description: "The provider's authorization code" })),
  state: Type.Optional(Type.String()),
  iss: Type.Optional(Type.String()),
  error: Type.Optional(Type.String({ description: 'Instead of a code: why the provider refused' })),
  error_description: Type.Optional(Type.String()),
}

const Bytes = Type.Unsafe<string>({ type: 'string', format: 'binary' })
const UploadedFile = Type.Object(
  {
    file_id: Type.String(),
    name: Type.String(),
    size: Type.Integer({ description: 'Bytes' }),
    type: Type.String({ description: 'A media type' }),
    sha256: Type.String({ description: 'Of its bytes, hex' }),
  },
  { title: 'UploadedFile' },
)
const UrlToken = Type.String({ description: 'Of the URL' })
const uploadedFile = {
  file_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  name: 'plan.pdf',
  size: 48213,
  type: 'application/pdf',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

const LIVE =
  'Events `enter` and `change` with `{item, event_id, change_id}` (the item as it is when that is sent), `leave` with `{item_id, event_id, change_id}`; both ids are null where the time did it, or another filter of the view. Also through items that are referred to, tags that change, and undo. Without `after` from now on; `after` takes `X-Event-Id` of a search, or the `id` that a stream told last (browsers send it as `Last-Event-ID` by themselves): nothing is lost. `reset` with `{count}`: too much has changed, search again. A comment every 15 s.'
const LIVE_EXAMPLE =
  'event: leave\nid: 01JJXZ5T7GQ3M8K4B9R2C6D0EF\ndata: {"item_id":"01JJXZ5T7GQ3M8K4B9R2C6D0AB","event_id":"01JJXZ5T7GQ3M8K4B9R2C6D0EF","change_id":"01JJXZ5T7GQ3M8K4B9R2C6D0EF"}\n\n'
const { view_id: _, ...ofView } = FollowView.properties

/** By the part of the interface that registers them, by method and path. */
const ToolsQuery = Type.Optional(
  Type.Unsafe<string>({
    enum: [...TOOL_SETS],
    description: 'Which tools there are: those that only read, those of daily work, or all (default)',
  }),
)

export const describedRoutes = {
  service: {
    'GET /api/health': {
      name: 'getHealth',
      summary: 'Whether the process lives; looks at nothing else.',
      access: 'none',
      answers: { 200: { description: 'It does', type: JSON_TYPE, schema: Ok, example: { status: 'ok' } } },
    },
    'GET /api/ready': {
      name: 'getReadiness',
      summary: 'Whether the service can work: asks the database.',
      access: 'none',
      answers: { 200: { description: 'It can', type: JSON_TYPE, schema: Ok, example: { status: 'ok' } } },
    },
  },
  explorer: {
    'GET /api/openapi.json': {
      name: 'getOpenApi',
      summary: 'This description.',
      access: 'none',
      answers: {
        200: { description: 'OpenAPI 3.1', type: JSON_TYPE, schema: Document, example: { openapi: '3.1.0' } },
      },
    },
    'GET /api/swagger-ui': {
      name: 'getExplorer',
      summary: 'The interactive explorer of this description.',
      access: 'none',
      answers: { 200: { description: 'A page', type: 'text/html', schema: Type.String() } },
    },
  },
  providers: {
    'GET /api/auth/oauth/idp_a': toProvider('IdpA'),
    'GET /api/auth/oauth/idp_b': toProvider('IdpB'),
    'GET /api/auth/oauth/idp_a/callback': { name: 'returnFromIdpA', ...callback, query: callbackParameters },
    'POST /api/auth/oauth/idp_b/callback': {
      name: 'returnFromIdpB',
      ...callback,
      body: { type: 'application/x-www-form-urlencoded', schema: Type.Object(callbackParameters) },
    },
  },
  chat: {
    'POST /api/chat': {
      name: 'chat',
      summary: 'Ask the assistant; the answer is streamed.',
      description:
        'Each event is one `data:` line of JSON with a `type`: `chat_session`, `text_delta`, `tool_call`, `react_render`, then `done` or `error`. While an answer in a chat is under way, a further message to it is 409.',
      access: 'user',
      effect: 'write',
      // A chat is the user's own; what its tools do is looked at call by call.
      needs: 'own',
      body: {
        type: JSON_TYPE,
        schema: TurnInput,
        example: { message: 'Which tasks are due this week?' },
      },
      answers: {
        200: {
          description: 'Events: each `data:` line is one of these',
          type: EVENTS,
          schema: Type.Unsafe<string>({ named: 'ChatEvent' }),
          example: { type: 'text_delta', content: 'Two tasks' },
        },
      },
      errors: ['NotFound', 'Conflict', 'TooManyRequests'],
    },
  },
  changes: {
    'GET /api/changes/stream': {
      name: 'followChanges',
      summary: 'Follow the audit log: every event as it happens, each once, in order.',
      description:
        'Without `after` from now on. Each event is `event: audit`, its `id` the event’s, its data as POST /api/audit-log/search answers it. Anyone who reconnects with `Last-Event-ID` (browsers do so by themselves) or `after` misses nothing. A comment every 15 s.',
      access: 'user',
      effect: 'read',
      query: {
        notifications: Type.Optional(
          Type.Boolean({
            description:
              'In a session: also `event: notifications` with `{unread_count, notification_id}` (the newest), at the beginning and whenever they change',
          }),
        ),
        expected_user: Type.Optional(
          Type.String({ description: 'As the header X-Expected-User, which an EventSource cannot send' }),
        ),
        after: Type.Optional(Type.String({ description: 'From after this event on (an event id)' })),
        tag_ids: Type.Optional(
          Type.String({ description: 'Only events of these tags, separated by commas' }),
        ),
        item_ids: Type.Optional(Type.String({ description: 'Only events of these items' })),
        event_types: Type.Optional(Type.String({ description: 'Only events of these types' })),
      },
      answers: {
        200: events(
          'Events as they happen',
          'event: audit\nid: 01JJXZ5T7GQ3M8K4B9R2C6D0EF\ndata: {"event_id":"01JJXZ5T7GQ3M8K4B9R2C6D0EF","event_type":"item_created",…}\n\n',
        ),
      },
      errors: ['TooManyRequests'],
    },
  },
  export: {
    'POST /api/items/export': {
      name: 'exportItems',
      summary: 'Take items out as a file: CSV, JSON Lines, or notes in a zip.',
      description:
        "The items of a filter, of a view, of both, or all of them. A CSV file has one row an item: `item_id`, `name`, `description`, then `fields`, else all fields of the tags that the filter or view names; names are written in place of ids, lists are parted by `, `, and texts that begin with `= + - @`, a tab, a carriage return or `'` have a `'` before them. JSON Lines has what a search answers, an item a line. `markdown` is a zip of a note an item, with its values as front matter, links between notes, files, and schemas and ids in `facet.json`. Conditions that can never match are named in X-Filter-Warnings.",
      access: 'user',
      in_part: true,
      effect: 'read',
      body: {
        type: JSON_TYPE,
        schema: ExportInput,
        example: { format: 'csv', filter: { has_tag: 'Task' }, fields: ['Task.due', 'Task.assignee'] },
      },
      answers: {
        200: {
          description: 'The file, as it is read; one that was cut off has no end',
          type: 'text/csv',
          schema: Type.String(),
          example: 'item_id,name,description,Task.due\r\n01JJXZ5T7GQ3M8K4B9R2C6D0EF,Buy milk,,2026-02-01\r\n',
          also: [
            {
              type: 'application/x-ndjson',
              schema: Type.String(),
              example: '{"item_id":"01JJXZ5T7GQ3M8K4B9R2C6D0EF","name":"Buy milk"}\n',
            },
            { type: 'application/zip', schema: Type.String({ format: 'binary' }), example: 'PK…' },
          ],
        },
      },
      errors: ['NotFound', 'TooManyRequests'],
    },
  },
  uploads: {
    'POST /api/files': {
      name: 'uploadFile',
      summary: 'Upload a file: its bytes are the body, of whatever Content-Type.',
      description:
        'At most FILE_LIMIT bytes. Until an item refers to it, only its account reads it, and after a day it is removed. `type` is found from the content.',
      access: 'user',
      effect: 'write',
      in_part: true,
      // It changes nothing that others see.
      needs: 'own',
      for_proposers: 'as_ever',
      query: {
        name: Type.String({
          minLength: 1,
          description: 'What it is called; what stands before the last / or \\\\ is dropped',
        }),
      },
      required: ['name'],
      body: { type: 'application/octet-stream', schema: Bytes, example: '' },
      answers: {
        200: { description: 'It is kept', type: JSON_TYPE, schema: UploadedFile, example: uploadedFile },
      },
      errors: ['InsufficientStorage'],
    },
  },
  uploadUrls: {
    'PUT /api/file-urls': {
      name: 'uploadByUrl',
      summary: 'Send the bytes of one file by a URL of prepare_upload; once.',
      access: 'none',
      query: { token: UrlToken },
      required: ['token'],
      body: { type: 'application/octet-stream', schema: Bytes, example: '' },
      answers: {
        200: { description: 'It is kept', type: JSON_TYPE, schema: UploadedFile, example: uploadedFile },
      },
      errors: ['NotFound', 'Conflict', 'InsufficientStorage'],
    },
  },
  fileUrls: {
    'GET /api/file-urls': {
      name: 'downloadByUrl',
      summary: 'The bytes of a file by a URL of get_file, or items as a file by one of export_items.',
      access: 'none',
      query: { token: UrlToken },
      required: ['token'],
      answers: {
        200: { description: 'The file', type: 'application/octet-stream', schema: Bytes, example: '' },
        206: {
          description: 'The part of it that Range asks for',
          type: 'application/octet-stream',
          schema: Bytes,
          example: '',
        },
      },
      errors: ['NotFound', 'Gone', 'RangeNotSatisfiable', 'TooManyRequests'],
    },
  },
  files: {
    'GET /api/files/{file_id}': {
      name: 'downloadFile',
      summary: 'The bytes of a file, or with Range some of them.',
      description:
        'Pictures, PDF, plain text, audio and video are shown (`inline`), all else is saved. Nothing in it can run in this origin.',
      access: 'user',
      effect: 'read',
      in_part: true,
      answers: {
        200: { description: 'The file', type: 'application/octet-stream', schema: Bytes, example: '' },
        206: {
          description: 'The part of it that Range asks for',
          type: 'application/octet-stream',
          schema: Bytes,
          example: '',
        },
        304: { description: 'It is the one of If-None-Match' },
      },
      errors: ['NotFound', 'Gone', 'RangeNotSatisfiable'],
    },
  },
  imports: {
    'GET /api/imports/{import_id}/faults': {
      name: 'listImportFaults',
      summary: 'The rows of an import that have a fault, as a file to be corrected.',
      description:
        'A CSV file with the columns of the import, and behind them the line and what is wrong: all such rows, where the import names the first hundred. They are checked again; before `PUT /api/imports/{import_id}` it is 409.',
      access: 'user',
      needs: 'own',
      effect: 'read',
      answers: {
        200: {
          description: 'The file, as it is read; one that was cut off has no end',
          type: 'text/csv',
          schema: Type.String(),
          example: "Name,Born,Line,What is wrong\r\nAda,31.2.1815,17,Born: '31.2.1815' is no date\r\n",
        },
      },
      errors: ['NotFound', 'Gone', 'Conflict', 'TooManyRequests'],
    },
  },
  live: {
    'POST /api/items/search/stream': {
      name: 'followItems',
      summary: 'Follow a filter: what comes to satisfy it, changes while it does, and ceases to.',
      description: LIVE,
      access: 'user',
      in_part: true,
      effect: 'read',
      body: {
        type: JSON_TYPE,
        schema: FollowFilter,
        example: { filter: { 'Task.status': { match: 'open' } } },
      },
      answers: { 200: events('What becomes of items', LIVE_EXAMPLE) },
      errors: ['TooManyRequests'],
    },
    'GET /api/views/{view_id}/stream': {
      name: 'followView',
      summary: 'Follow a view: what comes into it, changes in it, and leaves it.',
      description: `${LIVE} A last \`event: end\` where the view is deleted, or not shared any more.`,
      access: 'user',
      needs: 'own',
      effect: 'read',
      query: ofView,
      answers: { 200: events('What becomes of items', LIVE_EXAMPLE) },
      errors: ['NotFound', 'TooManyRequests'],
    },
  },
  mcpStream: {
    'GET /api/mcp/sse': {
      name: 'openMcpStream',
      summary: 'MCP, protocol 2024-11-05: open the event stream.',
      access: 'user',
      effect: 'read',
      answers: {
        200: events(
          'First `endpoint` with the path to post to, then a `message` for each answer',
          'event: endpoint\ndata: /api/mcp/message?session_id=…\n\n',
        ),
      },
      errors: ['TooManyRequests'],
    },
    'POST /api/mcp/message': {
      name: 'postMcpMessage',
      summary: 'MCP, protocol 2024-11-05: send a message; the answer comes here and on the stream.',
      access: 'user',
      effect: 'read',
      query: {
        session_id: Type.Optional(Type.String({ description: 'The stream; without it all of the caller’s' })),
      },
      body: { type: JSON_TYPE, schema: JsonRpc, example: listTools },
      answers: { 200: rpcAnswer, 202: accepted },
      errors: ['NotFound'],
    },
  },
  mcp: {
    'POST /api/mcp': {
      name: 'postMcp',
      summary: 'MCP, Streamable HTTP: send a message.',
      description:
        'Accept names both types: the answer comes as JSON, or as a stream with a `message` event.',
      access: 'user',
      effect: 'read',
      query: { tools: ToolsQuery },
      body: { type: JSON_TYPE, schema: JsonRpc, example: listTools },
      answers: {
        200: {
          ...rpcAnswer,
          also: [
            {
              type: EVENTS,
              schema: JsonRpc,
              example: { jsonrpc: '2.0', id: 1, result: { tools: [] } },
            },
          ],
        },
        202: accepted,
        400: {
          ...rpcFault('No such tools; or messages that the protocol refuses', -32600, 'Invalid request'),
          schema: Type.Union([ErrorSchema, JsonRpc]),
        },
      },
    },
    'GET /api/mcp': {
      name: 'getMcp',
      summary: 'MCP, Streamable HTTP: there is no stream without a request.',
      access: 'user',
      effect: 'read',
      query: { tools: ToolsQuery },
      answers: { 405: onlyPost },
    },
    'DELETE /api/mcp': {
      name: 'deleteMcp',
      summary: 'MCP, Streamable HTTP: nothing is kept between requests, so there is nothing to end.',
      access: 'user',
      effect: 'read',
      query: { tools: ToolsQuery },
      answers: { 405: onlyPost },
    },
  },
} satisfies Record<string, Record<string, RouteDescription>>
