import { quoted } from '#src/api/mcp/json-rpc.ts'
import { badRequest } from '#src/domain/errors.ts'
import type { Tool } from '#src/api/tools.ts'

/** Which tools a client of `/api/mcp` wants (further §18). */
export const TOOL_SETS = ['read', 'core', 'all'] as const
export type ToolSet = (typeof TOOL_SETS)[number]

/** What daily work takes: finding, counting, changing one or many, taking back. */
const CORE: ReadonlySet<string> = new Set([
  'add_item',
  'add_tag',
  'aggregate_items',
  'apply_tag_to_item',
  'batch',
  'bulk_add_items',
  'bulk_update_field_values',
  'delete_item',
  'edit_item',
  'explain_query',
  'get_item',
  'get_items',
  'get_tags',
  'undo_changes',
  'update_tag_field_values',
])

const HOLDS: Record<ToolSet, (tool: Tool) => boolean> = {
  read: ({ annotations }) => annotations.readOnlyHint === true,
  core: ({ name }) => CORE.has(name),
  all: () => true,
}

export const toolsOfSet = (tools: readonly Tool[], set: ToolSet): readonly Tool[] => tools.filter(HOLDS[set])

/** @throws BadRequest for another word */
export function readToolSet(query: unknown): ToolSet {
  const { tools = 'all' } = (query ?? {}) as { tools?: unknown }
  const set = TOOL_SETS.find((each) => each === tools)
  if (!set)
    throw badRequest(`tools: must be one of ${TOOL_SETS.join(', ')}, got ${quoted(JSON.stringify(tools))}`)
  return set
}
