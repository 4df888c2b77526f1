import type { Existing, FileValue, GivenFile, GivenValues } from './operations.ts'

/** Values by field name. */
export type TagValues = { [field: string]: unknown }
/** Tags by name, each with its values. */
export type ClientTags<Tags> = { [T in keyof Tags]: object }

/** Values as they are written: of a file its id is enough. */
export type Written<Values> = {
  [F in keyof Values]: FileValue[] extends Values[F]
    ? Exclude<Values[F], FileValue[]> | GivenFile[]
    : Values[F]
}

/** A tag with its values, as createItem takes it. */
export interface GivenTag {
  tag_ref: Existing
  field_values: GivenValues
}
