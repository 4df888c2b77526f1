import type { Caller } from '#src/domain/caller.ts'
import { unauthorized } from '#src/domain/errors.ts'
import { toReply, type Reply } from '#src/domain/reply.ts'
import type { Engine } from '#src/engine/engine.ts'
import type { ComposeContext, ComposeOperation, Operation, Step } from '#src/operations/operation.ts'
import type { Services } from '#src/operations/services.ts'
import { validateInput } from '#src/operations/validate-input.ts'

/** What a call needs besides operation, caller and input. */
export interface Facet {
  engine: Engine
  services: Services
  /** Milliseconds since the epoch. */
  clock(): number
}

/** One request of an interface: access, validation, then the operation, wherever it runs. */
export async function callOperation(
  facet: Facet,
  operation: Operation,
  caller: Caller,
  input: unknown,
): Promise<Reply> {
  checkAccess(operation, caller)
  return runOperation(facet, operation, caller, validateInput(operation, input))
}

/** Without access check and validation: for operations that call others. */
export async function runOperation(
  facet: Facet,
  operation: Operation | Step,
  caller: Caller,
  input: unknown,
): Promise<Reply> {
  const now = facet.clock()
  if (operation.effect === 'read') {
    const call = { name: operation.name, caller, input, now }
    return operation.inline ? facet.engine.readInline(call) : facet.engine.read(call)
  }
  if (operation.effect === 'write') return facet.engine.write({ name: operation.name, caller, input, now })
  const context: ComposeContext = {
    caller,
    now: new Date(now),
    services: facet.services,
    async call(other: Operation | Step, otherInput: unknown, as = caller) {
      const { json } = await runOperation(facet, other, as, otherInput)
      return JSON.parse(json)
    },
  }
  return toReply(await (operation as ComposeOperation).run(context, input as Record<string, unknown>))
}

/** @throws Unauthorized */
export function checkAccess({ access }: Pick<Operation, 'access'>, { session }: Caller): void {
  if (access === 'none') return
  if (access === 'internal') throw new Error('an internal operation was called from an interface')
  if (!session) throw unauthorized('Not signed in', { suggestion: 'Sign in with POST /api/auth/login' })
  if (access === 'user' && session.state === 'partial')
    throw unauthorized('The second factor is still to come', {
      suggestion: 'Complete the sign-in with POST /api/auth/2fa/totp/verify',
    })
}
