import { ServiceError } from '#src/domain/errors.ts'
import { Reply, type RollbackReason } from '#src/domain/reply.ts'

/** The error where nobody makes the call again: of an operator's command, and of a client after a minute. */
const MESSAGES: Record<RollbackReason, { message: string; suggestion?: string }> = {
  overtaken: { message: 'What was planned does not hold any more' },
  log_incomplete: {
    message: 'The log is being brought up to date',
    suggestion: 'Try again in a moment, while the service runs: it enters what a large change has recorded',
  },
  no_text_room: {
    message:
      'The index of searches has still to be given the texts of earlier changes, and has no room for those of this one: nothing was changed',
    suggestion: 'Try again in a minute',
  },
  out_of_indexes: { message: 'What is to come back is not in the indexes' },
}

/** The result of a call whose transaction is rolled back, after which the service calls it again. */
export const rolledBack = (reason: RollbackReason, items?: readonly number[]): Reply =>
  Reply.of(null, { rolled_back: { reason, ...(items && { items }) } })

/** Where storage finds out in the middle of a call: `sqlRunner` makes it the call's result. */
export class RolledBack extends ServiceError {
  readonly reason: RollbackReason

  constructor(reason: RollbackReason) {
    const { message, suggestion } = MESSAGES[reason]
    super('ServiceUnavailable', message, { ...(suggestion && { suggestion }) })
    this.reason = reason
  }

  get reply(): Reply {
    return rolledBack(this.reason)
  }
}

/** Why a call was rolled back; undefined where it was not. */
export const rollbackReason = ({ meta }: Reply): RollbackReason | undefined => meta?.rolled_back?.reason

/** The reply of a call that nobody makes again. @throws ServiceUnavailable with the reason */
export function reportRolledBack(reply: Reply): Reply {
  const reason = rollbackReason(reply)
  if (reason) throw new RolledBack(reason)
  return reply
}
