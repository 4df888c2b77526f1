import { Type } from 'typebox'

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
