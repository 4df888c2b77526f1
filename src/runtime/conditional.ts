import { holds, type Precondition, preconditionFailed, stateAt } from '#src/domain/precondition.ts'
import type { Conditional, Operation, SqlContext, Step } from '#src/runtime/operation.ts'

/**
 * Refuses a change that was meant for another state than the entity has. Whether it is there at all, the operation says itself.
 * @throws PreconditionFailed with the present entity, NotFound
 */
async function checkPrecondition(
  context: SqlContext,
  entity: Conditional,
  input: Record<string, unknown>,
  wanted: Precondition,
): Promise<void> {
  const current = (await entity.present(context, input)) as { updated_at: string } | undefined
  if (current && !holds(wanted, current.updated_at)) throw preconditionFailed(current)
}

/**
 * The same for what an input says itself: a tool's argument, which goes before what the request says.
 * @throws PreconditionFailed, NotFound
 */
export async function checkIfUpdatedAt(
  context: SqlContext,
  operation: Operation | Step,
  input: Record<string, unknown>,
  precondition?: Precondition,
): Promise<void> {
  const { if_updated_at } = input
  const wanted = typeof if_updated_at === 'string' ? [stateAt(if_updated_at)] : precondition
  const entity = 'conditional' in operation ? operation.conditional : undefined
  if (entity && wanted && operation.effect === 'write')
    await checkPrecondition(context, entity, input, wanted)
}
