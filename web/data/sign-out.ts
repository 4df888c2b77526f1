import { call } from '#web/api/call.ts'
import { Fault, toFault } from '#web/api/fault.ts'
import { logout } from '#web/api/operations.ts'
import { setSessionState } from '#web/api/session-state.ts'
import { dropOfflineStart } from '#web/data/offline-start.ts'
import { tellSignOut } from '#web/data/sign-out-elsewhere.ts'

/** Ends the session, which may have ended by itself. Returns why it goes on. */
export async function endSession(): Promise<Fault | undefined> {
  const answer = await call(logout, {}, { anonymous: true }).catch(toFault)
  return answer instanceof Fault && answer.status !== 401 ? answer : undefined
}

/** After that, in all tabs: what this browser has for a start without the service goes too. */
export function sessionHasEnded(): void {
  void dropOfflineStart().catch(() => undefined)
  tellSignOut()
  setSessionState('signed_out')
}
