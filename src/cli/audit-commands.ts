import { refuseOptions } from '#src/cli/command.ts'
import { openStore } from '#src/cli/open-store.ts'
import { counted } from '#src/domain/message-words.ts'
import { openWhole } from '#src/transfer/open-whole.ts'
import type { Config } from '#src/config/config.ts'
import { badRequest, conflict, type ServiceError } from '#src/domain/errors.ts'
import { redactItem } from '#src/operations/audit/audit-steps.ts'
import {
  type SecurityForks,
  type VerifiedSecurityLog,
  verifySecurityLog,
} from '#src/storage/accounts/security-chain.ts'
import { type VerifiedChain, verifyChain } from '#src/storage/log/verify-chain.ts'

export interface AuditOptions {
  json?: boolean | undefined
  head?: string | undefined
  item?: string | undefined
}

const HASH = /^[0-9a-f]{64}$/
const USE = 'audit verify [--head HASH], or audit redact --item ID'

/** Carries out `audit verify` and `audit redact`; answers what is printed. @throws Conflict where the log does not hold */
export async function runAuditCommand(
  [command, ...rest]: readonly string[],
  config: Config,
  options: AuditOptions,
): Promise<string> {
  if (rest.length) throw badRequest(`audit ${command} does not take '${rest[0]}'`, { suggestion: USE })
  if (command !== 'verify' && command !== 'redact')
    throw badRequest('audit needs the command verify or redact', { suggestion: USE })
  refuseOptions(`audit ${command}`, ['json', command === 'verify' ? 'head' : 'item'], options)
  const { json = false, head, item } = options
  return command === 'verify' ? verify(config, head?.toLowerCase(), json) : redact(config, item, json)
}

async function verify({ database }: Config, head: string | undefined, json: boolean): Promise<string> {
  if (head !== undefined && !HASH.test(head))
    throw badRequest('--head takes a hash of 64 hexadecimal digits', { suggestion: USE })
  const connection = await openWhole(database)
  try {
    const { chain, security } = await connection.snapshot(async () => ({
      chain: await verifyChain(connection.db, head),
      security: await verifySecurityLog(connection.db, head),
    }))
    const fault = brokenChain(chain) ?? brokenSecurityLog(security) ?? otherHead(head, chain, security)
    if (json) return inJson(chain, security, fault)
    if (fault) throw fault
    return inWords(chain, security)
  } finally {
    await connection.close()
  }
}

/** A log that does not hold is an answer, too: up to where it does. */
function inJson(
  { event_id, head, count, redacted, unsealed, changes_head }: VerifiedChain,
  security: VerifiedSecurityLog,
  fault: ServiceError | null,
): string {
  if (fault) process.exitCode = 1
  return JSON.stringify(
    {
      event_id,
      hash: head,
      count,
      redacted,
      unsealed,
      changes_head,
      security: {
        hash: security.head,
        count: security.count,
        unchained: security.unchained,
        ...(security.forks && { forks: security.forks }),
      },
      ...(fault && { fault: { message: fault.message, suggestion: fault.suggestion } }),
    },
    null,
    2,
  )
}

function inWords(chain: VerifiedChain, security: VerifiedSecurityLog): string {
  const { count, redacted, unsealed, changes_head } = chain
  const hidden = redacted ? `, ${redacted} of them redacted` : ''
  const older = unsealed
    ? `\nWhat undo keeps beside the first ${unsealed} of them is older than its proof`
    : ''
  return `The log holds: ${counted(count, 'event')}${hidden}\nHead: ${chain.head}\nChanges: ${changes_head}${older}\n${securityLine(security)}`
}

function securityLine({ count, unchained, head }: VerifiedSecurityLog): string {
  const older = unchained ? `, ${unchained} of them from before it was chained` : ''
  return `The security log holds: ${counted(count, 'event')}${older}\nIts head: ${head}`
}

function brokenSecurityLog({ broken, count, forks }: VerifiedSecurityLog): ServiceError | null {
  if (!broken) return forks && forkedSecurityLog(count, forks)
  const forked = forks ? ` (${forkedIn(forks)})` : ''
  return conflict(broken, {
    suggestion: `The ${count} events of it before that hold${forked}. Compare with a backup or an export`,
  })
}

/** Two processes of an older version that wrote in turns leave that; it is no proof that nobody else did. */
function forkedSecurityLog(count: number, forks: SecurityForks): ServiceError {
  const { loose, last } = forks
  const ends = `${counted(loose, 'event is', 'events are')} continued by none: what came behind would be missing without a trace`
  return conflict(`The security log forks: ${forkedIn(forks)}`, {
    suggestion: `Each of its ${count} events is as it was recorded. On PostgreSQL, processes and commands that wrote in turns left such forks before version 0.2.0; ${ends}. It holds again once SECURITY_LOG_DAYS has swept ${last}`,
  })
}

const forkedIn = ({ count, first }: SecurityForks): string =>
  count === 1
    ? `event ${first} continues an earlier one than that before it`
    : `${count} events, the first of them ${first}, continue earlier ones than those before them`

function brokenChain({ broken }: VerifiedChain): ServiceError | null {
  if (!broken) return null
  return conflict(`Event ${broken.event_id}, number ${broken.position}, does not fit: ${broken.reason}`, {
    suggestion: `The ${broken.position - 1} events before it hold. Compare with a backup or an export`,
  })
}

/** A head may be that of either log: `/metrics` and the program's log tell both. */
function otherHead(
  head: string | undefined,
  chain: VerifiedChain,
  security: VerifiedSecurityLog,
): ServiceError | null {
  if (head === undefined || chain.continues || security.continues) return null
  return conflict(`The log does not continue ${head}: none of its ${chain.count} events has that hash`, {
    suggestion: 'Events are missing at its end, the log was written again, or it is another base',
  })
}

async function redact(config: Config, item: string | undefined, json: boolean): Promise<string> {
  if (item === undefined) throw badRequest('audit redact needs --item', { suggestion: USE })
  const store = await openStore(config, [redactItem])
  try {
    const done = await store.call(redactItem, { item_id: item })
    if (json) return JSON.stringify(done, null, 2)
    const { redacted_events: count, exists, imports, proposals } = done
    const emptied = proposals.map((id) => `Emptied what the proposal ${id} kept of it`)
    if (!count) return [`The log has nothing left of ${done.item_id}`, ...emptied].join('\n')
    return [
      `Redacted ${counted(count, 'event')} of ${done.item_id}`,
      ...emptied,
      'Exports and backups made before keep what they have, and so do chats and, for 7 days, imports',
      ...imports.map(
        (id) => `Import ${id} wrote it: whoever started that removes it with DELETE /api/imports/${id}`,
      ),
      ...(exists ? ['The item itself is still there: purge it where its content is to go too'] : []),
    ].join('\n')
  } finally {
    await store.close()
  }
}
