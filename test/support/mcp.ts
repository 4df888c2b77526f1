import {
  Client as McpClient,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Client } from '#test/support/client.ts'
import { eventsOf } from '#test/support/events.ts'

export const TRANSPORTS = ['sse', 'streamable-http'] as const

/** The official client, connected with a signed-in user's cookie. */
export async function connectMcp(user: Client, transport: (typeof TRANSPORTS)[number]): Promise<McpClient> {
  const withCookie = (url: URL | string, init?: RequestInit) => {
    const { pathname, search } = new URL(url)
    return user.fetch(pathname + search, init)
  }
  const client = new McpClient({ name: 'test', version: '1' })
  await client.connect(
    transport === 'sse'
      ? new SSEClientTransport(new URL('/api/mcp/sse', user.url), { fetch: withCookie })
      : new StreamableHTTPClientTransport(new URL('/api/mcp', user.url), { fetch: withCookie }),
  )
  return client
}

export interface ToolOutcome {
  /** The first text block parsed, where the call went well. */
  value?: unknown
  /** The text of a failure. */
  error?: string
  /** The second text block, parsed. */
  beside?: unknown
}

/** Calls a tool through the official client. */
export async function callTool(
  client: McpClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolOutcome> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [first, second] = content.map((block) => (block as { text: string }).text)
  if (isError) return { error: first! }
  return { value: JSON.parse(first!), ...(second !== undefined && { beside: JSON.parse(second) }) }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** One message as it is, to the specification's route. */
export async function postMessage(user: Client, message: unknown, path = '/api/mcp/message') {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const response = await user.fetch(path, { method: 'POST', body, headers: JSON_TYPE })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined }
}

/** GET /api/mcp/sse by hand: the path that it names, and its messages one by one. */
export async function openMcpStream(user: Client) {
  const leaving = new AbortController()
  const response = await user.fetch('/api/mcp/sse', { signal: leaving.signal })
  if (response.status !== 200) return { status: response.status, response }
  const events = eventsOf(response)
  const first = (await events.next()).value!
  return {
    status: 200,
    response,
    first,
    path: first.data,
    /** The next message; undefined when the stream has ended. */
    async next(): Promise<unknown> {
      const { done, value } = await events.next()
      return done ? undefined : JSON.parse(value.data)
    },
    leave: () => leaving.abort(),
  }
}
