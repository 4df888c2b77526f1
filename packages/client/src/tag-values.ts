import type { Existing, GivenValues } from './operations.ts'

/** Values by field name. */
export type TagValues = { [field: string]: unknown }
/** Tags by name, each with its values. */
export type ClientTags<Tags> = { [T in keyof Tags]: object }

/** A tag with its values, as createItem takes it. */
export interface GivenTag {
  tag_ref: Existing
  field_values: GivenValues
}
