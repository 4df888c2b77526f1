/** Where an operation is called, and what its headers may say. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With path parameters in braces. */
  readonly path: string
  /** Changes nothing, so it may be asked again. */
  readonly reads?: true
  /** Is carried out once under an Idempotency-Key. */
  readonly keyed?: true
  /** Takes If-Match: `if_updated_at` of the input. */
  readonly if_match?: true
  /** What of the input takes the cursor of the next page. */
  readonly paged?: 'after' | 'before_event'
  /** Answers with events. */
  readonly streams?: true
}
