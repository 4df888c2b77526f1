/** A mapping, as far as its faults name parts of it. */
export interface NamedTables {
  tables?: readonly { name: string; columns?: Readonly<Record<string, unknown>> | undefined }[] | undefined
}

/** A fault of a mapping, with its place as people see it: `tables[0].columns.Born.type` is the column Born. */
export function problemWords(
  { path, message }: { path: string; message: string },
  { tables = [] }: NamedTables,
): string {
  const [, i, rest = ''] = /^tables\[(\d+)\](?:\.([^]*))?$/.exec(path) ?? []
  const table = i === undefined ? undefined : tables[Number(i)]
  const place = table && partOf(rest, Object.keys(table.columns ?? {}))
  const whole = tables.length > 1 && table ? `“${table.name}”` : undefined
  const places = [whole, place].filter((each) => each !== undefined && each !== '')
  return places.length ? `${places.join(', ')}: ${message}` : message
}

/** Empty: the table as a whole. */
function partOf(path: string, columns: readonly string[]): string {
  if (path.startsWith('tag.new.name')) return 'the name of the new tag'
  if (path === 'key') return '“Where an item is there already”'
  const [, field] = /^(?:columns|tag\.new\.fields)\.([^]+)$/.exec(path) ?? []
  if (field === undefined) return ''
  const column = columns
    .filter((each) => field === each || field.startsWith(`${each}.`) || field.startsWith(`${each}[`))
    .toSorted((a, b) => b.length - a.length)[0]
  return column === undefined ? `the field “${field.replace(/[.[][^]*$/, '')}”` : `the column “${column}”`
}
