import { holds, type Precondition, preconditionFailed } from '#src/domain/precondition.ts'
import { findTagById } from '#src/storage/tags/tags.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import type { Operation, SqlContext, Step } from '#src/operations/operation.ts'
import { tagReply } from '#src/operations/tags/tag-reply.ts'
import { ownView } from '#src/operations/views/own-view.ts'
import { viewJson } from '#src/storage/views/views.ts'

/** What a change is of; its state is its `updated_at`. */
export type Entity = 'item' | 'tag' | 'view'

type Present = (context: SqlContext, input: Record<string, unknown>) => Promise<unknown>

/** The entity that an input names, as it is answered; undefined where it is absent. */
const PRESENT: Record<Entity, Present> = {
  item: async ({ db }, { item_id }) => JSON.parse(await itemJson(db, String(item_id))),
  tag: async ({ db }, { tag_id }) => {
    const tag = await findTagById(db, String(tag_id))
    return tag && JSON.parse(tagReply(tag).json)
  },
  view: async ({ db, caller }, { view_id }) =>
    JSON.parse(viewJson(await ownView(db, caller, String(view_id)))),
}

/**
 * Refuses a change that was meant for another state than the entity has. Whether it is there at all, the operation says itself.
 * @throws PreconditionFailed with the present entity, NotFound
 */
async function checkPrecondition(
  context: SqlContext,
  entity: Entity,
  input: Record<string, unknown>,
  wanted: Precondition,
): Promise<void> {
  const current = (await PRESENT[entity](context, input)) as { updated_at: string } | undefined
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
  const wanted = typeof if_updated_at === 'string' ? [if_updated_at] : precondition
  const entity = 'conditional' in operation ? operation.conditional : undefined
  if (entity && wanted && operation.effect === 'write')
    await checkPrecondition(context, entity, input, wanted)
}
