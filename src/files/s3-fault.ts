import { unavailable } from '#src/domain/errors.ts'

/** What a service of S3 answered instead of doing what it was asked; for the log, and for those who run the service. */
export class S3Fault extends Error {
  /** What to look at. */
  readonly remedy: string

  constructor(place: string, reason: string, options?: ErrorOptions) {
    super(`${place}: ${reason}${codeOf(options?.cause)}`, options)
    this.name = 'S3Fault'
    this.remedy = REMEDIES.find(([found]) => found.test(reason))?.[1] ?? 'Look at the log of that service'
  }
}

const KEY = 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'

/** By what an answer says, what may be wrong; the first that fits. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/InvalidAccessKeyId|SignatureDoesNotMatch/, `Set ${KEY} to a key of that service`],
  [/RequestTimeTooSkewed/, 'Set the clock of this machine right (NTP)'],
  [/NoSuchBucket/, 'Make the bucket, or name one that is there'],
  [/PermanentRedirect|AuthorizationHeaderMalformed|^301|^400/, 'Set S3_REGION to the region of the bucket'],
  [/AccessDenied|^401|^403/, `Let the key of ${KEY} list, read, write and delete there`],
  [/^507|quota|storagefull|insufficient/i, 'Make room in that service'],
  [/^200 (?:without|to)/, 'Look at S3_ENDPOINT: what answers there does not speak S3'],
  [/^no answer/, 'Look at S3_ENDPOINT, and whether this machine reaches it'],
]

/** `fetch` says why beneath. */
function codeOf(cause: unknown): string {
  const { cause: beneath, message } = (cause ?? {}) as {
    cause?: { code?: string; message?: string }
    message?: string
  }
  const code = beneath?.code ?? beneath?.message ?? message
  return code === undefined ? '' : ` (${code})`
}

/** What stands behind an error of a store on S3. */
export const s3FaultOf = (error: unknown): S3Fault | null => {
  const { cause } = error as { cause?: unknown }
  return cause instanceof S3Fault ? cause : null
}

/** For those who run the service what a store on S3 answered and what to look at, which its callers do not read. */
export function forOperator(error: unknown): unknown {
  const fault = s3FaultOf(error)
  return fault ? unavailable(fault.message, { suggestion: fault.remedy }) : error
}
