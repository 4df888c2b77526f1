import { sql } from 'kysely'
import { userOf } from '#src/domain/caller.ts'
import { conflict, ServiceError } from '#src/domain/errors.ts'
import { RolledBack } from '#src/domain/rolled-back.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { accountNamed } from '#src/operations/account/users/known-user.ts'
import { runBatch } from '#src/operations/changes/run-batch.ts'
import { batchOfTemplate } from '#src/operations/templates/batch-of-template.ts'
import { namesOfFields, withIds } from '#src/operations/templates/settings-of-template.ts'
import { idsByAddress, withDescription, withIdsOfRefs } from '#src/operations/templates/template-links.ts'
import type { Template } from '#src/operations/templates/template.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { createView } from '#src/operations/views/create-view.ts'
import { toReply } from '#src/domain/reply.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { validateInput } from '#src/runtime/validate-input.ts'
import type { Db } from '#src/sql/query.ts'

/** How many names a refusal tells. */
const MOST_NAMED = 5

export interface UsedTemplate {
  tags: number
  views: number
  items: number
  /** null: it has neither tags nor items. */
  change_id: Ulid | null
}

/** Makes all that a template has, as one change, or nothing. */
async function fillFromTemplate(context: SqlContext, template: Template): Promise<UsedTemplate> {
  const { tags, views, items } = template
  const parts = batchOfTemplate(template)
  await refuseTaken(context, template)
  const placeOf = (path: string) => {
    const [, part, rest = ''] = /^operations\[(\d+)\](?:\.input)?\.?(.*)$/s.exec(path) ?? []
    return part === undefined ? path : parts[Number(part)]!.placeOf(rest)
  }
  const operations = parts.map(({ operation, input, as }) => ({ operation, input, ...(as && { as }) }))
  const made = await placed(placeOf, async () => {
    if (!operations.length) return { results: [], change_id: null }
    const reply = await runBatch.run(context, { operations, dry_run: false, allow_warnings: true })
    return JSON.parse(toReply(reply).json)
  })
  const ids = new Map<string, string>()
  for (const { tag_id, name } of made.results) if (tag_id !== undefined) ids.set(name, tag_id)
  const named = namesOfFields(tags, ids)
  const entries = madeItems(items, operations, made.results)
  await linkItems(context, items, entries)
  for (const [i, view] of views.entries()) {
    const linked = withDescription(view.settings ?? {}, (html) => withIdsOfRefs(html, entries.byAddress))
    const settings = withIds(linked, { ids, named })
    await placed(
      (path) => [`template.views[${i}]`, path].filter(Boolean).join('.'),
      async () => {
        const input = await validateInput(createView, { ...view, settings, shared: true })
        await createView.run({ ...context, allow_warnings: true }, input as never)
      },
    )
  }
  return { tags: tags.length, views: views.length, items: items.length, change_id: made.change_id }
}

interface MadeItems {
  /** Of all items, in their order. */
  item_ids: readonly string[]
  /** Ids of those with a ref. */
  byAddress: ReadonlyMap<string, string>
}

function madeItems(
  items: Template['items'],
  operations: readonly { as?: string }[],
  results: readonly { item_id?: string }[],
): MadeItems {
  const made = new Map(operations.map(({ as }, i) => [as, results[i]!.item_id]))
  const item_ids = items.map((_, i) => made.get(`i${i}`)!)
  return {
    item_ids,
    byAddress: idsByAddress(
      items.flatMap(({ ref }, i) => (ref === undefined ? [] : [[ref, item_ids[i]!] as const])),
    ),
  }
}

/** Links of descriptions lead to the items that were made; those that they lead to may come later. */
async function linkItems(
  context: SqlContext,
  items: Template['items'],
  { item_ids, byAddress }: MadeItems,
): Promise<void> {
  for (const [i, { description }] of items.entries()) {
    const linked = description && withIdsOfRefs(description, byAddress)
    if (!linked || linked === description) continue
    await placed(
      (path) => [`template.items[${i}]`, path].filter(Boolean).join('.'),
      async () => {
        const input = await validateInput(updateItem, { item_id: item_ids[i], description: linked })
        context.change.beginPart()
        await updateItem.run(context, input as never)
      },
    )
  }
}

/** What fails in there names its places as the template has them. */
async function placed<T>(placeOf: (path: string) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error instanceof RolledBack) throw error
    const { code, message, suggestion, details } = error
    const errors = (details?.errors ?? [{ path: '', message }]).map((each, i, { length }) => {
      const isCount = each.path === '' && i > 0 && i === length - 1
      return isCount ? each : { ...each, path: placeOf(each.path) }
    })
    const known = details?.errors?.[0]?.path
    const own = known && message.startsWith(`${known}: `) ? message.slice(known.length + 2) : message
    throw new ServiceError(code, `${errors[0]!.path}: ${own}`, {
      ...(suggestion !== undefined && { suggestion }),
      details: { ...details, errors },
    })
  }
}

/** @throws Conflict with what is there already by name */
async function refuseTaken({ db, caller }: SqlContext, { tags, views, items }: Template): Promise<void> {
  const user_id = userOf(caller)
  const namesOf = (of: readonly { name: string }[]) => sql.join(of.map(({ name }) => sql`${name}`))
  const taken: string[] = []
  if (tags.length)
    for (const name of await names(
      db,
      sql`select name from tag where deleted_at is null and name in (${namesOf(tags)})`,
    ))
      taken.push(`the tag '${name}'`)
  if (views.length)
    for (const name of await names(
      db,
      sql`select name from view where (shared = 1 or user_id = ${user_id}) and name in (${namesOf(views)})`,
    ))
      taken.push(`the view '${name}'`)
  if (items.length)
    for (const name of await names(
      db,
      sql`select name from item where deleted_at is null and name in (${namesOf(items)}) limit 100`,
    ))
      taken.push(`the item '${name}'`)
  if (!taken.length) return
  const more = taken.length > MOST_NAMED ? ` and ${taken.length - MOST_NAMED} more` : ''
  throw conflict(`The base has ${taken.slice(0, MOST_NAMED).join(', ')}${more} already; nothing was made`, {
    suggestion: 'Rename what is there, or take it out of the template',
  })
}

const names = async (db: Db, text: ReturnType<typeof sql>): Promise<string[]> => {
  const rows = await db.select<{ name: string }>(text.compile(db.dialect.builder))
  return [...new Set(rows.map(({ name }) => name))]
}

export const fillTemplate = defineStep({
  name: 'fillTemplate',
  effect: 'write',
  run: (context, { template }: { template: Template }) => fillFromTemplate(context, template),
})

/** Who an operator's template is used as: the account named, else the first owner. @throws Conflict where there is none */
export const findTemplateUser = defineStep({
  name: 'findTemplateUser',
  effect: 'read',
  run: async ({ db }, { who }: { who: string | null }): Promise<Ulid> =>
    who === null ? firstOwner(db) : (await accountNamed(db, who)).user_id,
})

async function firstOwner(db: Db): Promise<Ulid> {
  const text = sql<{
    user_id: Ulid
  }>`select user_id from account where role = 'owner' and disabled_at is null order by user_id limit 1`
  const [owner] = await db.select<{ user_id: Ulid }>(text.compile(db.dialect.builder))
  if (owner) return owner.user_id
  throw conflict('The base has no owner yet', {
    suggestion: 'Register, or make one: user create WHO --role owner',
  })
}
