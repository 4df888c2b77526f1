import { finishTurn } from '#src/operations/chats/steps/finish-turn.ts'
import { startTurn } from '#src/operations/chats/steps/start-turn.ts'
import { checkReadable } from '#src/operations/service/steps/check-readable.ts'
import { checkReady } from '#src/operations/service/steps/check-ready.ts'
import { refuseHalfImported } from '#src/operations/service/steps/refuse-half-imported.ts'
import type { Step } from '#src/operations/operation.ts'

/** What operations call and interfaces never do: a worker thread loads it beside the operations. */
export const sqlSteps: readonly Step[] = [
  checkReadable,
  checkReady,
  finishTurn,
  refuseHalfImported,
  startTurn,
]
