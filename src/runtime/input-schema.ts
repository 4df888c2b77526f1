import { Type } from 'typebox'
import type { Problem } from '#src/domain/errors.ts'
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
  /** What our own code finds wrong with such an object, whatever is in the base. */
  faultsIn?: FaultsIn
}

type FaultsIn = (value: Record<string, unknown>, path: string) => readonly Problem[]

/** Of a union the branch that an object was meant for (it has all that the branch requires), else the schema itself. */
export const branchFor = (schema: InputSchema, value: unknown): InputSchema =>
  (isRecord(value) &&
    schema.anyOf?.find(
      ({ properties, required = [] }) => properties && required.every((name) => Object.hasOwn(value, name)),
    )) ||
  schema

/** An object whose keys the service does not know beforehand. */
export const openObject = <T>(
  description: string,
  example?: T,
  named?: string,
  inTools?: string,
  faultsIn?: FaultsIn,
) =>
  Type.Unsafe<T>({
    type: 'object',
    additionalProperties: true,
    description,
    ...(example !== undefined && { examples: [example] }),
    // What the API's document calls the schema that our own code checks.
    ...(named !== undefined && { named }),
    // What a tool says in place of the description.
    ...(inTools !== undefined && { inTools }),
    ...(faultsIn && { faultsIn }),
  })
