/** A schema of the API's document. */
export interface Schema {
  $ref?: string
  title?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  type?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  readOnly?: boolean
}

const REFERENCE = '#/components/schemas/'
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** TypeScript of a schema; `uses` is told of every schema that it names. */
export function typeOf(schema: Schema, uses: (name: string) => void, indent = ''): string {
  const inner = (each: Schema) => typeOf(each, uses, indent)
  if (schema.$ref) {
    const name = schema.$ref.slice(REFERENCE.length)
    uses(name)
    return name
  }
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const either = schema.anyOf ?? schema.oneOf
  if (either) return [...new Set(either.map(inner))].join(' | ')
  switch (schema.type) {
    case 'object':
      return objectOf(schema, uses, indent)
    case 'array': {
      const element = inner(schema.items ?? {})
      return element.includes(' | ') && !element.startsWith('{') ? `(${element})[]` : `${element}[]`
    }
    case 'integer':
      return 'number'
    case undefined:
      return 'unknown'
    default:
      return schema.type
  }
}

function objectOf(schema: Schema, uses: (name: string) => void, indent: string): string {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const deeper = `${indent}  `
  const lines = Object.entries(properties)
    // What is sent back and ignored is nothing that anybody has to send.
    .filter(([, each]) => !each.readOnly)
    .map(([name, each]) => {
      const sign = required.includes(name) ? '' : '?'
      return `${comment(each.description, deeper)}${deeper}${key(name)}${sign}: ${typeOf(each, uses, deeper)}\n`
    })
  if (!lines.length) {
    if (others === false || others === undefined) return 'Record<string, never>'
    return `{ [name: string]: ${others === true ? 'unknown' : typeOf(others, uses, indent)} }`
  }
  // What an index says holds for the named properties too.
  if (others) lines.push(`${deeper}[name: string]: unknown\n`)
  return `{\n${lines.join('')}${indent}}`
}

const key = (name: string) => (IDENTIFIER.test(name) ? name : literal(name))

/** As the formatter writes it. */
const literal = (value: unknown): string =>
  typeof value === 'string' && !/['\\\n]/.test(value) ? `'${value}'` : JSON.stringify(value)

export function comment(text: string | undefined, indent: string): string {
  const line = text?.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim()
  return line ? `${indent}/** ${line} */\n` : ''
}
