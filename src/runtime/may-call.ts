import type { Caller } from '#src/domain/caller.ts'
import { forbidden, ServiceError, unauthorized } from '#src/domain/errors.ts'
import type { Operation } from '#src/runtime/operation.ts'

/** What decides whether somebody may call: an operation has it, and so does a route that is none. */
export type Demand = Pick<
  Operation,
  'access' | 'effect' | 'needs' | 'fresh' | 'hints' | 'rest' | 'every_role' | 'in_part' | 'for_proposers'
>

/** How long a proof of who it is lasts for a session (additions §11). */
const PROOF_LIFE = 10 * 60 * 1000

/** All that a key or an app reaches (additions §2): what is below these, and single routes. What is new is closed. */
const OPEN_TO_KEYS = [
  '/api/items',
  '/api/tags',
  '/api/filters',
  '/api/files',
  '/api/batch',
  '/api/imports',
  '/api/changes',
  '/api/proposals',
  '/api/audit-log',
  '/api/views',
  '/api/chats',
  '/api/chat',
  '/api/preferences',
  '/api/mcp',
  '/api/service',
  '/api/health',
  '/api/ready',
  '/api/openapi.json',
  '/api/swagger-ui',
  '/metrics',
]
const ROUTES_OPEN_TO_KEYS = ['GET /api/auth/me']

/** By which it calls tools: what these reach is looked at for each. */
const PROTOCOLS = '/api/mcp'

/** What leads to what it does not see: views, and the base as it was. `plan` tells how much there is. */
const CLOSED_INPUT = ['view_id', 'as_of', 'plan'] as const

/** A dry run counts as one. */
export const isChange = ({ effect, hints }: Pick<Demand, 'effect' | 'hints'>): boolean =>
  effect !== 'read' && !hints?.readOnly

/**
 * The one place that says what a caller may do, for every interface.
 * @throws Unauthorized, Forbidden
 */
export function checkCaller(demand: Demand, caller: Caller): void {
  const { access } = demand
  checkReach(demand, caller)
  if (access === 'none') return
  if (caller.user_id === null)
    throw unauthorized('Not signed in', {
      suggestion: 'Sign in with POST /api/auth/login, or send a key in the header Authorization',
    })
  if (access === 'user' && caller.session?.state === 'partial')
    throw unauthorized('The second factor is still to come', {
      suggestion: 'Complete the sign-in with POST /api/auth/2fa/totp/verify',
    })
  checkRole(demand, caller)
}

/** @throws Forbidden where a limited key or app asks for more than its part of the base */
export function checkLimitedInput({ limited }: Caller, input: unknown): void {
  if (!limited || typeof input !== 'object' || input === null) return
  const asked = CLOSED_INPUT.find((name) => ((input as Record<string, unknown>)[name] ?? false) !== false)
  if (asked) throw notInSight(`'${asked}'`)
}

/** @throws Forbidden where a limited key or app does not reach an operation or a route */
export function checkSight({ rest, in_part }: Pick<Demand, 'rest' | 'in_part'>, { limited }: Caller): void {
  if (limited && !in_part && ![rest ?? []].flat().some(isProtocol)) throw notInSight('this')
}

function isProtocol(route: string): boolean {
  const path = route.slice(route.indexOf(' ') + 1)
  return path === PROTOCOLS || path.startsWith(`${PROTOCOLS}/`)
}

const notInSight = (what: string): ServiceError =>
  forbidden(`A key or an app that sees a part of the base does not reach ${what}`, {
    suggestion: 'Use a key without a limit, or a session',
  })

/** Whether the caller may at all, e.g. for the list of tools that they are offered. */
export function mayCall(demand: Demand, caller: Caller): boolean {
  try {
    checkCaller(demand, caller)
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

/** Whether a key or an app reaches a route, as `GET /api/items` writes it. */
export function isOpenToKeys(route: string): boolean {
  if (ROUTES_OPEN_TO_KEYS.includes(route)) return true
  const path = route.slice(route.indexOf(' ') + 1)
  return OPEN_TO_KEYS.some((each) => path === each || path.startsWith(`${each}/`))
}

function checkReach(demand: Demand, caller: Caller): void {
  const { rest, needs = 'base' } = demand
  const { user_id, session, client } = caller
  if (user_id === null || session) return
  checkSight(demand, caller)
  // What has no route is a tool, of the base.
  if (rest === undefined ? needs !== 'base' : ![rest].flat().every(isOpenToKeys))
    throw forbidden(`${client?.kind === 'app' ? 'An app' : 'A key'} does not reach this`, {
      suggestion: 'Sign in, and do it in the session',
    })
}

function checkRole(demand: Demand, { role, scope, client, session }: Caller): void {
  const { needs = 'base' } = demand
  if (needs === 'owner' && role !== 'owner')
    throw forbidden('Only an owner may do this', { suggestion: 'Ask an owner of this base' })
  if (!isChange(demand)) return
  if (scope === 'read' && client?.kind === 'app')
    throw forbidden('This app may only read; nothing was changed', {
      suggestion: 'Let it ask for the scope "write"',
      challenge: 'Bearer error="insufficient_scope", scope="read write"',
    })
  if (scope === 'read')
    throw forbidden('This key may only read; nothing was changed', {
      suggestion: `Use a key with the scope ${servesProposers(demand) ? '"propose" or "write"' : '"write"'}`,
    })
  if (scope === 'propose') return checkProposer(demand, client)
  if (needs === 'base' && role === 'reader' && !demand.every_role) throw readerMayNot({ session })
}

const servesProposers = ({ needs = 'base', for_proposers }: Demand): boolean =>
  for_proposers === 'as_ever' || (needs === 'base' && for_proposers === undefined)

/** Of a change. What is of the base is kept as a proposal, whatever the role. */
function checkProposer(demand: Demand, client: Caller['client']): void {
  if (servesProposers(demand)) return
  const message = 'may only propose changes of items and tags, which this is not; nothing was changed'
  if (client?.kind === 'app')
    throw forbidden(`This app ${message}`, {
      suggestion: 'Let it ask for the scope "write"',
      challenge: 'Bearer error="insufficient_scope", scope="read write"',
    })
  throw forbidden(client?.kind === 'key' ? `This key ${message}` : `The assistant ${message}`, {
    suggestion:
      client?.kind === 'key' ? 'Use a key with the scope "write"' : 'Tell the user how to do it themselves',
  })
}

/** Programs try a change out first, and have to hear that they may not; a person in the application has seen no dry run. */
export const readerMayNot = ({ session }: Pick<Caller, 'session'>): ServiceError => {
  const counts = session ? '' : ' (a dry run is a change)'
  return forbidden(`Your role is reader: you may read everything, but not change it${counts}`, {
    suggestion: 'Ask an owner of this base for the role editor',
  })
}

/** Whether a call of an operation that the caller may call is to be kept as a proposal. */
export function isProposed(demand: Demand, caller: Caller, dry_run: boolean): boolean {
  if (caller.scope !== 'propose' || !isProposable(demand)) return false
  if (dry_run && caller.role === 'reader') throw readerMayNot(caller)
  return !dry_run
}

/** Whether it is kept as a proposal where a caller may only propose. */
export const isProposable = (demand: Demand): boolean =>
  isChange(demand) &&
  demand.access === 'user' &&
  (demand.needs ?? 'base') === 'base' &&
  demand.for_proposers === undefined

/** Whether a call asks for a proof within the last minutes of who it is. */
export function asksForProof(demand: Demand, fresh_proof: 'new' | 'all'): boolean {
  if (demand.access === 'none') return false
  if (demand.needs === 'owner' && isChange(demand)) return true
  return demand.fresh === 'always' || (demand.fresh === 'all' && fresh_proof === 'all')
}

export const isFresh = ({ session }: Caller, now: Date | number): boolean =>
  session !== null && isRecent(session.proven_at, now)

/** Whether who proved themselves then need not do it again. */
export const isRecent = (proven_at: string, now: Date | number): boolean =>
  Date.parse(proven_at) > Number(now) - PROOF_LIFE
