import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { describedOnce } from '#src/api/tool-listing.ts'
import { toolsOfSet } from '#src/api/mcp/tool-sets.ts'
import { toolsOf } from '#src/api/tools.ts'
import { operations } from '#src/operations/index.ts'

/** Specification, Tool names by category. */
const NAMES = [
  'add_tag get_tag edit_tag delete_tag get_tags',
  'add_item get_item edit_item delete_item get_items',
  'bulk_add_items bulk_delete_items bulk_apply_tag bulk_remove_tag bulk_update_field_values',
  'apply_tag_to_item update_tag_field_values remove_tag_from_item',
  'create_view get_view list_views update_view delete_view',
  'query_audit_log get_outdated_item_tags',
  'restore_item list_deleted_items purge_deleted_items',
  'validate_filter explain_query render_react',
].flatMap((category) => category.split(' '))
const LISTS = [
  'get_tags',
  'get_items',
  'list_views',
  'query_audit_log',
  'get_outdated_item_tags',
  'list_deleted_items',
]
const MAX_TOKENS = { all: 9000, core: 4000 }

/** Arguments that the example, or their values, say enough of. */
const PLAIN = new Set(['name', 'tags', 'tag', 'field_values', 'metrics', 'sample', 'file_id', 'state'])

const argumentsOf = ({ properties }: { [keyword: string]: unknown }) =>
  Object.entries(properties as Record<string, { description?: string }>)

const tools = describedOnce(toolsOf(operations))
const ajv = new Ajv2020({ strict: false, validateFormats: false })

describe('the tools', () => {
  it('are the 31 of the specification, and what docs/spec/additions.md adds', () => {
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(NAMES))
    expect(NAMES).toHaveLength(31)
  })

  for (const [set, most] of Object.entries(MAX_TOKENS))
    it(`are listed in at most ${most} tokens (${set})`, () => {
      const listed = describedOnce(toolsOfSet(toolsOf(operations), set as 'all' | 'core'))
      const list = listed.map(({ name, description, inputSchema: schema, annotations }) => ({
        name,
        description,
        inputSchema: schema,
        annotations,
      }))
      expect(Buffer.byteLength(JSON.stringify({ tools: list })) / 4).toBeLessThanOrEqual(most)
    })

  it('speak in the core set of no tool that it has not', () => {
    const listed = describedOnce(toolsOfSet(toolsOf(operations), 'core'))
    const text = listed
      .map(({ description, inputSchema }) => description + JSON.stringify(inputSchema))
      .join()
    const absent = tools.filter(({ name }) => !listed.some((each) => each.name === name))
    expect(absent.map(({ name }) => name).filter((name) => text.includes(name))).toEqual([])
  })

  it('speak of tools, never of routes or headers', () => {
    for (const { name, description, inputSchema } of tools)
      expect(`${description} ${JSON.stringify(inputSchema)}`, name).not.toMatch(
        /\/api\/|\bX-[A-Z]|\bheaders?\b|\broutes?\b|\bREST\b/,
      )
  })

  it('say each thing once, and send nobody elsewhere', () => {
    const told = new Map<string, string>()
    for (const { name, inputSchema } of tools) {
      expect(JSON.stringify(inputSchema)).not.toMatch(/\bAs (?:\w+ )?in \w+/)
      for (const [argument, { description }] of argumentsOf(inputSchema))
        if (description !== undefined) {
          expect(told.get(`${argument}: ${description}`), `${name}.${argument}`).toBeUndefined()
          told.set(`${argument}: ${description}`, name)
        }
    }
  })

  it('say of each other only what is there', () => {
    const mentioned = tools.flatMap(({ description }) =>
      [...description.matchAll(/\b[a-z]+(?:_[a-z]+)*_(?:items?|tags?|views?|log|filter|react|query)\b/g)].map(
        ([name]) => name,
      ),
    )
    const known = new Set([...tools.map(({ name }) => name), 'has_tag', 'purge_deleted_items', 'has_item'])
    expect(mentioned.filter((name) => !known.has(name))).toEqual([])
  })
})

describe.each(tools)('$name', ({ name, description, inputSchema, annotations, operation }) => {
  it('has a flat schema of its own', () => {
    expect(inputSchema.type).toBe('object')
    for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref', 'not'])
      expect(inputSchema).not.toHaveProperty(keyword)
    expect(ajv.validateSchema(inputSchema)).toBe(true)
    expect(JSON.stringify(inputSchema)).not.toMatch(/patternMessage|"~/)
  })

  it('is described with an example that its schema takes', () => {
    const [summary, ...rest] = description.split('\n')
    expect(summary!.length).toBeGreaterThan(20)
    const example = rest.find((line) => line.startsWith('Example: '))
    // One of ids and switches alone would say nothing.
    if (!example) return expect(inputSchema.required ?? []).not.toContain('filter')
    const validate = ajv.compile(inputSchema)
    expect(validate(JSON.parse(example.slice('Example: '.length))) || validate.errors).toBe(true)
  })

  it('describes its arguments, but those that a tool before it described', () => {
    const before = tools.slice(
      0,
      tools.findIndex((each) => each.name === name),
    )
    const told = new Set(
      before.flatMap((each) => argumentsOf(each.inputSchema).map(([argument]) => argument)),
    )
    for (const [argument, schema] of argumentsOf(inputSchema))
      if (!told.has(argument) && !PLAIN.has(argument))
        expect(schema.description, argument).toEqual(expect.any(String))
  })

  it('is annotated by what it does', () => {
    const reads =
      operation.effect === 'read' || /^(explain_|validate_|render_|get_file|export_items)/.test(name)
    const destroys =
      /^(delete|bulk_delete|purge|remove|bulk_remove|bulk_update|update_tag|update_view|migrate|merge|batch|undo)/.test(
        name,
      )
    const { idempotentHint = false, ...rest } = annotations
    expect(idempotentHint).toEqual(expect.any(Boolean))
    expect(rest).toEqual(
      reads ? { readOnlyHint: true } : { destructiveHint: destroys ? expect.any(Boolean) : false },
    )
    if (/delete_|purge|remove_|update_/.test(name) && !reads) expect(annotations.destructiveHint).toBe(true)
  })

  it('is said to suffer a repetition only where it does', () => {
    // Not where values may be appended to, nor where two fields may swap their names.
    const suffers = ['edit_item', 'migrate_tag_values', 'update_view'].includes(name)
    expect(annotations.idempotentHint ?? false).toBe(suffers)
  })

  if (LISTS.includes(name))
    it('takes limit and fields', () => {
      expect(inputSchema.properties).toHaveProperty('limit')
      expect(inputSchema.properties).toHaveProperty('fields')
      expect(inputSchema.required ?? []).not.toContain('limit')
    })
})
