import type { ErrorCode, ErrorDetails } from '#src/domain/errors.ts'
import type { ReplyMeta } from '#src/domain/reply.ts'

/** A request that carries an Idempotency-Key (additions §5). */
export interface KeyedRequest {
  key: string
  /** Tells it from every other request. */
  request_hash: string
}

/** The answer to a request that may be sent again. */
export type StoredAnswer =
  /** Stored under these names: what was kept before an upgrade is answered after it. */
  | { json: string; notes?: ReplyMeta | undefined }
  | {
      error: {
        code: ErrorCode
        message: string
        suggestion?: string | undefined
        details?: ErrorDetails | undefined
      }
    }
