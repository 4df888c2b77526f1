import { operations } from '#src/operations/index.ts'
import type { Operation } from '#src/runtime/operation.ts'
import { schemaWords, type JsonSchema } from './schema-words.ts'

export const file = 'docs/reference/operations.md'

const ACCESS = {
  none: 'anybody',
  partial: 'a session that owes its second factor',
  user: 'a signed-in user',
  internal: 'nobody',
}

const routesOf = ({ rest }: Operation): string[] =>
  rest === undefined ? [] : typeof rest === 'string' ? [rest] : [...rest]

/** Every operation that an interface offers, grouped by the first segment of its route. */
export function text(): string {
  const offered = operations.filter((each) => each.rest || each.tool)
  const groups = Map.groupBy(offered, (each) => routesOf(each)[0]?.split('/')[2] ?? 'tools only')
  const parts = [
    '# Operations',
    '',
    'All that Facet can do, as REST routes and as tools of MCP and chat. Errors have the form of [http.md](http.md).',
  ]
  for (const [group, members] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
    parts.push('', `## ${group}`)
    for (const each of members) parts.push('', ...section(each))
  }
  return `${parts.join('\n')}\n`
}

function section(operation: Operation): string[] {
  const title =
    routesOf(operation)
      .map((route) => `\`${route}\``)
      .join(', ') || `\`${operation.tool}\``
  const lines = [`### ${title}`, '', operation.summary]
  if (operation.description) lines.push('', operation.description)
  lines.push('', facts(operation))
  const input = operation.input as JsonSchema
  const names = Object.keys(input.properties ?? {})
  if (names.length) {
    lines.push('', '| input | type | |', '|---|---|---|')
    for (const name of names) lines.push(row(name, input))
  }
  lines.push(
    '',
    `Answers ${schemaWords(operation.output)}${operation.paged ? ', in pages by `limit` and `after`' : ''}.`,
  )
  if (operation.example?.input !== undefined)
    lines.push('', '```json', JSON.stringify(operation.example.input), '```')
  return lines
}

function facts({ access, tool, errors }: Operation): string {
  const parts = [`For ${ACCESS[access]}.`]
  if (tool) parts.push(`Tool: \`${tool}\`.`)
  if (errors?.length) parts.push(`Errors: ${errors.join(', ')}.`)
  return parts.join(' ')
}

/** Bars end the cells of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|')

function row(name: string, input: JsonSchema): string {
  const property = input.properties![name]!
  const required = input.required?.includes(name) ? '**required** ' : ''
  const words = `${required}${property.description ?? ''}`.replaceAll('\n', ' ')
  return `| \`${name}\` | ${cell(schemaWords(property))} | ${cell(words)} |`
}
