import { forbidden } from '#src/domain/errors.ts'
import { isFresh } from '#src/operations/may-call.ts'
import type { ComposeContext } from '#src/operations/operation.ts'

/** @throws Forbidden that names the ways in which the account can prove who it is */
export function checkFresh({ caller, now }: Pick<ComposeContext, 'caller' | 'now'>, confirm: string[]): void {
  if (isFresh(caller, now.getTime())) return
  throw forbidden('This asks for a proof within the last 10 minutes that it is you', {
    suggestion: confirm.length
      ? `Confirm it with POST /api/auth/confirm (${confirm.join(', ')}), then do it again`
      : 'Sign in again, then do it again',
    details: { confirm },
  })
}
