import type { Config } from '#src/config/config.ts'

/** The name of this MCP server among resources (RFC 8707): its address. */
export const mcpResource = ({ public_url }: Pick<Config, 'public_url'>): string => `${public_url}/api/mcp`
