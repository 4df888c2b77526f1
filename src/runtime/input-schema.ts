import { isRecord } from '#src/domain/is-record.ts'
/** A JSON Schema as far as inputs use it. */
export interface InputSchema {
  type?: string
  const?: unknown
  properties?: Record<string, InputSchema>
  required?: readonly string[]
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
