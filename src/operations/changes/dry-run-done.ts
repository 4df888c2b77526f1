import { conflict, ServiceError } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'

const KEY = 'dry_run_answer'

/** Thrown at the end of a dry run that did everything: the engine takes it all back, and the answer goes along. */
export const dryRunDone = (json: string): ServiceError => conflict('dry run', { details: { [KEY]: json } })

/** The answer of such a dry run. @throws what else went wrong */
export async function takeDryRun(call: Promise<Reply>): Promise<string> {
  try {
    return (await call).json
  } catch (error) {
    const json = error instanceof ServiceError ? error.details?.[KEY] : undefined
    if (typeof json === 'string') return json
    throw error
  }
}
