import type { Caller } from '#src/domain/caller.ts'
import { badRequest, invalid, ServiceError } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { inSnakeCase, nearestAction } from '#src/domain/nearest-action.ts'
import { Reply, toReply } from '#src/domain/reply.ts'
import { RolledBack, rolledBack, rollbackReason } from '#src/domain/rolled-back.ts'
import { batchable, type Batchable } from '#src/operations/changes/batchable.ts'
import { BatchPlanning, readBatchPlan } from '#src/operations/changes/batch-plan.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { checkLimitedInput, checkSight } from '#src/runtime/may-call.ts'
import { validateInput } from '#src/runtime/validate-input.ts'

const MAX_BULK_OPERATIONS = 10
const MAX_AFFECTED = 100_000

export interface Part {
  operation: string
  input: Record<string, unknown>
  as?: string
}

interface BatchInput {
  operations: Part[]
  dry_run: boolean
  allow_warnings: boolean
}

export const runBatch = defineStep<BatchInput, object>({
  name: 'runBatch',
  effect: 'write',
  long: true,
  isDryRun: ({ dry_run }) => dry_run,
  isPlanned: ({ operations }) => operations.some(({ input }) => Object.hasOwn(input, 'filter')),
  async plan(context, input) {
    const planning = await BatchPlanning.begin(context.db)
    const before = context.planned && (await readBatchPlan(context.db, context.planned))
    await carryOut(context, input, (part) => ({
      planned: undefined,
      onFound: planning.taker(part),
      ...(before && { found: before(part) }),
    }))
    return planning.plan
  },
  async run(context, input) {
    if (!context.planned) return carryOut(context, input)
    const found = await readBatchPlan(context.db, context.planned)
    if (!found) return rolledBack('overtaken')
    return carryOut(context, input, (part) => ({ planned: undefined, found: found(part), soon: true }))
  },
})

/** Carries the operations of a batch out, one after the other. `optionsOf`: more of what each is given. */
export async function carryOut(
  given: SqlContext,
  { operations, dry_run }: Omit<BatchInput, 'allow_warnings'>,
  optionsOf: (part: number) => Partial<SqlContext> = () => ({}),
): Promise<Reply> {
  // A dry run only tells of warnings, as that of a bulk change does.
  const context = { ...given, ...(dry_run && { allow_warnings: true, tried: true as const }) }
  context.change.operation = 'batch'
  const parts = operations.map((part, i) => readPart(part, i, context.caller))
  checkWhole(operations, parts)
  const made = new Map<string, string | null>()
  const results: string[] = []
  let affected = 0
  for (const [i, { input, as }] of operations.entries()) {
    const { operation, run } = parts[i]!
    context.change.beginPart()
    try {
      const valid = await validateInput(operation, withIds(input, made, 'input'))
      const reply = toReply(await run({ ...context, ...optionsOf(i) }, valid))
      if (rollbackReason(reply)) return reply
      const { json } = reply
      results.push(dry_run ? asDryRun(json) : json)
      affected += affectedBy(json)
      if (affected > MAX_AFFECTED)
        throw badRequest(`A batch affects at most ${MAX_AFFECTED} items`, {
          suggestion: 'Make several batches',
        })
      if (as !== undefined) made.set(as, idIn(json))
    } catch (error) {
      throw error instanceof ServiceError && !(error instanceof RolledBack) ? inPart(error, i, made) : error
    }
  }
  const change_id = dry_run || context.change.lastEvent === null ? null : context.change.id
  return new Reply(
    `{"results":[${results.join()}],"change_id":${JSON.stringify(change_id)},"dry_run":${dry_run}}`,
  )
}

/** What was carried out only to be taken back says so. */
function asDryRun(json: string): string {
  const answer = JSON.parse(json) as unknown
  if (!isRecord(answer)) return json
  delete answer.change_id
  return JSON.stringify({ ...answer, dry_run: true })
}

/** An agent knows operations by the names of their tools. */
const ofTool = (name: string): string | undefined => {
  const snake = inSnakeCase(name)
  return batchable.values().find(({ operation }) => operation.tool === snake)?.operation.name
}

function readPart({ operation, input }: Part, i: number, caller: Caller): Batchable {
  const path = `operations[${i}]`
  const found = batchable.get(operation)
  if (!found) {
    const close = ofTool(operation) ?? nearestAction(operation, [...batchable.keys()])
    const message = `'${operation}' is no operation of a batch`
    throw invalid([{ path: `${path}.operation`, message }], {
      suggestion:
        close === undefined
          ? `Expected one of: ${[...batchable.keys()].join(', ')}`
          : `Did you mean '${close}'?`,
    })
  }
  try {
    checkSight(found.operation, caller)
    checkLimitedInput(caller, input)
  } catch (error) {
    throw error instanceof ServiceError ? inPart(error, i) : error
  }
  if (Object.hasOwn(input, 'dry_run'))
    throw invalid([
      { path: `${path}.input.dry_run`, message: 'belongs next to operations, for the whole batch' },
    ])
  return found
}

function checkWhole(operations: readonly Part[], parts: readonly Batchable[]): void {
  if (parts.filter(({ bulk }) => bulk).length > MAX_BULK_OPERATIONS)
    throw badRequest(`A batch has at most ${MAX_BULK_OPERATIONS} bulk operations`, {
      suggestion: 'Make several batches',
    })
  const names = new Set<string>()
  for (const [i, { as }] of operations.entries()) {
    if (as === undefined) continue
    if (names.has(as))
      throw invalid([{ path: `operations[${i}].as`, message: `the name '${as}' is given twice` }])
    names.add(as)
  }
}

/** Maps by the names of fields, of which one may be `$`: no id stands in their place. */
const BY_FIELD = new Set(['field_values', 'fields', 'rename_fields', 'rename_variants', 'map', 'move'])

/** The input with the ids that names stand for. */
function withIds<T>(value: T, made: ReadonlyMap<string, string | null>, path: string, isMap = false): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each, i) => withIds(each, made, `${path}[${i}]`)) as T
  const entries = Object.entries(value)
  const [[key, name] = []] = entries
  if (!isMap && entries.length === 1 && key === '$' && typeof name === 'string') {
    const id = made.get(name)
    if (id === undefined)
      throw invalid([{ path, message: `nothing before this was given the name '${name}'` }])
    if (id === null) throw invalid([{ path, message: `what is named '${name}' made no id` }])
    return id as T
  }
  return Object.fromEntries(
    entries.map(([name, each]) => [
      name,
      withIds(each, made, `${path}.${name}`, !isMap && BY_FIELD.has(name)),
    ]),
  ) as T
}

/** What an operation made or changed. */
function idIn(json: string): string | null {
  const { item_id, tag_id, item } = JSON.parse(json) as {
    item_id?: string
    tag_id?: string
    item?: { item_id: string }
  }
  return item_id ?? tag_id ?? item?.item_id ?? null
}

function affectedBy(json: string): number {
  const answer = JSON.parse(json) as {
    affected_count?: number
    affected_item_ids?: string[]
    purged_item_ids?: string[]
    migrated?: number
    repointed?: object[]
    deleted_ids?: string[]
    length?: number
  }
  const { affected_count, affected_item_ids, repointed, deleted_ids, length } = answer
  if (deleted_ids) return deleted_ids.length + (repointed?.length ?? 0)
  const ids = affected_item_ids ?? answer.purged_item_ids
  return affected_count ?? ids?.length ?? answer.migrated ?? length ?? 0
}

const ULID_IN_TEXT = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g

/** The error with the place of its operation. What the batch would have made has no id any more: it has its name. */
function inPart(error: ServiceError, i: number, made?: ReadonlyMap<string, string | null>): ServiceError {
  const { code, details } = error
  const names = new Map([...(made ?? [])].map(([name, id]) => [id, JSON.stringify({ $: name })]))
  const byNames = (text: string) => text.replaceAll(ULID_IN_TEXT, (id) => names.get(id) ?? id)
  const message = byNames(error.message)
  const suggestion = error.suggestion === undefined ? undefined : byNames(error.suggestion)
  const path = `operations[${i}]`
  const [first] = details?.errors ?? []
  const errors = first
    ? details!.errors!.map((each) => ({
        ...each,
        path: pathInPart(path, each.path),
        message: byNames(each.message),
      }))
    : [{ path, message }]
  const own = first && first.path !== '' && message.startsWith(`${first.path}: `) ? first.path : null
  const placed = own === null ? `${path}: ${message}` : pathInPart(path, own) + message.slice(own.length)
  return new ServiceError(code, placed, {
    ...(suggestion !== undefined && { suggestion }),
    details: { ...details, errors },
  })
}

const pathInPart = (part: string, path: string): string =>
  path === 'input' || path.startsWith('input.')
    ? `${part}.${path}`
    : [`${part}.input`, path].filter(Boolean).join('.')
