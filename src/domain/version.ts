/** Of the package, its API and its MCP server; `version.test.ts` compares all that show it with package.json. */
export const VERSION = '0.1.0'
