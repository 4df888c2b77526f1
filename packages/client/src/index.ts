export type { Answer, CallOptions } from './call.ts'
export type { ClientOptions, FileBytes } from './connection.ts'
export {
  Conflict,
  type ErrorDetails,
  FacetError,
  NotFound,
  PreconditionFailed,
  type Problem,
  RateLimited,
} from './errors.ts'
export { facet } from './facet.ts'
export type { StoredFile } from './files.ts'
export { BEGINNING, type ChangesOptions } from './follow-changes.ts'
export type { LiveEvent, LiveOptions } from './follow-live.ts'
export type { Facet, InputOf, OutputOf, PagedMethod, TaggedItem } from './methods.ts'
export type * from './operations.ts'
export type { DecisionOptions, ProposeOptions } from './propose.ts'
export type { GivenTag } from './tag-values.ts'
