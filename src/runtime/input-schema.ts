import { Type } from 'typebox'
import { isRecord } from '#src/domain/is-record.ts'

/** A JSON Schema as far as inputs use it. */
export interface InputSchema {
  type?: string
  const?: unknown
  properties?: Record<string, InputSchema>
  required?: readonly string[]
  additionalProperties?: unknown
  items?: InputSchema
  minItems?: number
  maxItems?: number
  anyOf?: readonly InputSchema[]
}

/** Of a union the branch that an object was meant for (it has all that the branch requires), else the schema itself. */
export const branchFor = (schema: InputSchema, value: unknown): InputSchema =>
  (isRecord(value) &&
    schema.anyOf?.find(
      ({ properties, required = [] }) => properties && required.every((name) => Object.hasOwn(value, name)),
    )) ||
  schema

/** An object whose keys the service does not know beforehand. */
export const openObject = <T>(description: string, example?: T, named?: string, inTools?: string) =>
  Type.Unsafe<T>({
    type: 'object',
    additionalProperties: true,
    description,
    ...(example !== undefined && { examples: [example] }),
    // What the API's document calls the schema that our own code checks.
    ...(named !== undefined && { named }),
    // What a tool says in place of the description.
    ...(inTools !== undefined && { inTools }),
  })
