/** How the address of Facet is set in one program. */
export interface ClientSetup {
  id: string
  name: string
  /** One sentence: where the text goes. */
  how: string
  /** With a key where one was made; without, the client asks for access by itself. */
  text: (address: string, key: string | null) => string
  /** It cannot ask for access by itself. */
  needsKey?: boolean
}

const json = (value: object) => JSON.stringify(value, null, 2)
const bearer = (key: string | null) => (key === null ? {} : { headers: { Authorization: `Bearer ${key}` } })

export const CLIENT_SETUPS: readonly ClientSetup[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    how: 'In a terminal. Inside Claude Code then /mcp, facet, Authenticate.',
    text: (address, key) =>
      `claude mcp add --transport http facet ${address}${key === null ? '' : ` --header "Authorization: Bearer ${key}"`}`,
  },
  {
    id: 'claude',
    name: 'Claude (web, desktop)',
    how: 'Settings, Connectors, Add custom connector: this address. It must be reachable over https.',
    text: (address) => address,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    how: 'Into ~/.cursor/mcp.json, or .cursor/mcp.json of a project.',
    text: (url, key) => json({ mcpServers: { facet: { url, ...bearer(key) } } }),
  },
  {
    id: 'vscode',
    name: 'VS Code',
    how: 'Into .vscode/mcp.json.',
    text: (url, key) => json({ servers: { facet: { type: 'http', url, ...bearer(key) } } }),
  },
  {
    id: 'other',
    name: 'Another MCP client',
    how: 'Streamable HTTP at this address. A client that knows the older transport alone takes /sse behind it.',
    text: (address, key) => (key === null ? address : `${address}\nAuthorization: Bearer ${key}`),
  },
  {
    id: 'curl',
    name: 'A script',
    how: 'Any program that can send a header; the routes are in the reference at /docs.',
    needsKey: true,
    text: (address, key) =>
      `curl -H 'Authorization: Bearer ${key ?? 'YOUR_KEY'}' ${address.replace(/\/mcp$/, '')}/items?limit=5`,
  },
]
