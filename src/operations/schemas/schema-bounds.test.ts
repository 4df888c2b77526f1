import { describe, expect, it } from 'vitest'
import { TurnInput } from '#src/operations/chats/chat-schemas.ts'
import { operations } from '#src/operations/index.ts'
import type { InputSchema } from '#src/runtime/input-schema.ts'

/** Where a schema lets a text or a list be as long as the body. */
function unbounded(schema: InputSchema & { maxLength?: number; maxItems?: number }, path: string): string[] {
  const {
    type,
    properties = {},
    items,
    anyOf = [],
    enum: values,
    const: value,
  } = schema as typeof schema & {
    enum?: unknown[]
  }
  const here =
    (type === 'string' && schema.maxLength === undefined && values === undefined && value === undefined) ||
    (type === 'array' && schema.maxItems === undefined)
  return [
    ...(here ? [path] : []),
    ...Object.entries(properties).flatMap(([name, each]) => unbounded(each, `${path}.${name}`)),
    ...(items ? unbounded(items, `${path}[]`) : []),
    ...anyOf.flatMap((each) => unbounded(each, path)),
  ]
}

describe('what comes in', () => {
  for (const { name, input } of [...operations, { name: 'chat', input: TurnInput }])
    it(`to ${name} has a length wherever it is a text or a list`, () => {
      expect(unbounded(input, name)).toEqual([])
    })
})
