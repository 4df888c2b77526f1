import { ServiceError } from '#src/domain/errors.ts'

/** What one look at the setup came to. */
export interface Finding {
  check: string
  /** `warn`: it works, and is probably not what is wanted. `fail`: it keeps people out or puts data at risk. */
  state: 'ok' | 'warn' | 'fail'
  says: string
  /** What to do; null: nothing. */
  do: string | null
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says, do: null })
export const warn = (check: string, says: string, what: string): Finding => ({
  check,
  state: 'warn',
  says,
  do: what,
})
export const fail = (check: string, says: string, what: string): Finding => ({
  check,
  state: 'fail',
  says,
  do: what,
})

/** What a start is refused with. `what`: what to do where the refusal does not say. */
export const failed = (check: string, error: unknown, what: string): Finding =>
  error instanceof ServiceError
    ? fail(check, error.message, error.suggestion ?? what)
    : fail(check, worded(error), what)

/** Milliseconds that another host may take. */
export const PATIENCE = 5000

export const worded = (error: unknown): string => {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}
