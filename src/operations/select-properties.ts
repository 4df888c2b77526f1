import { type TObject, Type } from 'typebox'
import { Reply, toReply } from '#src/domain/reply.ts'
import type { SqlOperation } from '#src/runtime/operation.ts'

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

/** Which there are, a tool's list does not say. */
export const ONLY_THESE = 'Only these properties of each'

/**
 * A read of a list that also takes `fields`: only these properties of each element, so that the answer stays small.
 * Other operations, and those that know `fields` themselves, come back as they are.
 */
export function selectable(operation: SqlOperation): SqlOperation {
  const names = selectableProperties(operation)
  if (!names || Object.hasOwn(operation.input.properties, 'fields')) return operation
  const fields = Type.Array(Type.Unsafe<string>({ enum: names }), {
    maxItems: names.length,
    description: 'Only these properties of each element, so that the answer stays small',
    inTools: ONLY_THESE,
  })
  const input: TObject = Type.Object(
    { ...operation.input.properties, fields: Type.Optional(fields) },
    { additionalProperties: false },
  )
  return {
    ...operation,
    input,
    async run(context, { fields: wanted, ...rest }) {
      const reply = toReply(await operation.run(context, rest))
      if (!Array.isArray(wanted)) return reply
      return new Reply(JSON.stringify(onlyFields(JSON.parse(reply.json), new Set(wanted))), reply.meta)
    },
  }
}

/** The properties of a list's elements, or of several lists' in one object. */
function selectableProperties({ effect, output }: SqlOperation): string[] | undefined {
  if (effect !== 'read') return undefined
  const { type, items, properties } = output as JsonSchema
  const lists = type === 'array' ? [items] : Object.values(properties ?? {}).map((each) => each.items)
  if (!lists.length || !lists.every((each) => each?.properties)) return undefined
  return [...new Set(lists.flatMap((each) => Object.keys(each!.properties!)))]
}

/** @param list An array of objects, or an object of such arrays. */
function onlyFields(list: unknown, names: ReadonlySet<unknown>): unknown {
  if (!Array.isArray(list))
    return Object.fromEntries(
      Object.entries(list as object).map(([name, each]) => [name, onlyFields(each, names)]),
    )
  return list.map((each: object) =>
    Object.fromEntries(Object.entries(each).filter(([name]) => names.has(name))),
  )
}
