import type { Adapter, AdapterPayload, errors } from 'oidc-provider'
import { hashToken } from '#src/auth/session.ts'
import { NOBODY } from '#src/domain/caller.ts'
import {
  addAppClient,
  dropAppRecord,
  findAppClient,
  findAppRecord,
  findConsent,
  type FoundRecord,
  keepAppRecord,
  keepConsent,
  useAppRecord,
} from '#src/operations/account/app/app-record-steps.ts'
import { endApp } from '#src/operations/account/app/app-steps.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import type { Step } from '#src/runtime/operation.ts'

export interface StoreParts {
  runtime: Runtime
  /** Where the request comes from that is being served. */
  address: () => string
  InvalidGrant: typeof errors.InvalidGrant
}

/** What the authorization server remembers, in our database: an adapter for each kind of its records. */
export function providerStore(parts: StoreParts): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Client') return new Clients(parts)
    if (kind === 'Grant') return new Consents(parts)
    return kind === 'Session' ? new Forgetful(parts) : new Records(parts, kind)
  }
}

/** What no kind of ours is asked for, or has by itself. */
abstract class Kind implements Adapter {
  protected readonly parts: StoreParts

  constructor(parts: StoreParts) {
    this.parts = parts
  }

  protected run<I extends object, O>(step: Step<I, O>, input: NoInfer<I>): Promise<O> {
    return runStep(this.parts.runtime, step, input)
  }

  abstract upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void>
  abstract find(id: string): Promise<AdapterPayload | undefined>
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  consume: (id: string) => Promise<void> = async () => {}
  destroy: (id: string) => Promise<void> = async () => {}

  /** Whatever ends one token of a consent ends all of it, with what is open by it. */
  async revokeByGrantId(app_id: string): Promise<void> {
    const { ended } = await this.run(endApp, { app_id })
    this.parts.runtime.services.sessions.ended(ended)
  }
}

/** Codes, tokens, requests: under the hash of their id, which is the token itself. */
class Records extends Kind {
  private readonly kind: string

  constructor(parts: StoreParts, kind: string) {
    super(parts)
    this.kind = kind
  }

  private key = (id: string) => ({ kind: this.kind, id_hash: hashToken(id) })

  async upsert(id: string, whole: AdapterPayload, life: number): Promise<void> {
    const { jti: _, ...payload } = whole
    const { grantId: app_id = null } = payload
    const rotation = this.kind === 'RefreshToken' ? (payload.rotations ?? 0) : null
    const caller = { ...NOBODY, address: this.parts.address() }
    const kept = await runOperation(this.parts.runtime, keepAppRecord, caller, {
      ...this.key(id),
      app_id: app_id,
      payload: JSON.stringify(payload),
      rotation,
      life,
    })
    if (!kept) throw new this.parts.InvalidGrant('another answer to it has been used')
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found: FoundRecord | null = await this.run(findAppRecord, this.key(id))
    if (!found) return undefined
    const payload = { ...(JSON.parse(found.payload) as AdapterPayload), jti: id }
    return found.consumed ? { ...payload, consumed: Math.floor(Date.now() / 1000) } : payload
  }

  /** Of two that come at once one is late: that is a code used twice. */
  override consume = async (id: string): Promise<void> => {
    if (await this.run(useAppRecord, this.key(id))) return
    const { grantId } = (await this.find(id)) ?? {}
    if (grantId) await this.revokeByGrantId(grantId)
    throw new this.parts.InvalidGrant('it was used before')
  }

  override destroy = async (id: string): Promise<void> => {
    await this.run(dropAppRecord, this.key(id))
  }
}

/** What was granted is with the app: the id of a grant is the id of its app. */
class Consents extends Kind {
  async upsert(app_id: string, payload: AdapterPayload): Promise<void> {
    await this.run(keepConsent, { app_id, consent: JSON.stringify(payload) })
  }
  async find(app_id: string): Promise<AdapterPayload | undefined> {
    const consent = await this.run(findConsent, { app_id })
    return consent === null ? undefined : (JSON.parse(consent) as AdapterPayload)
  }
  override destroy = (app_id: string): Promise<void> => this.revokeByGrantId(app_id)
}

/** Clients that registered themselves. */
class Clients extends Kind {
  async upsert(client_id: string, metadata: AdapterPayload): Promise<void> {
    const caller = { ...NOBODY, address: this.parts.address() }
    await runOperation(this.parts.runtime, addAppClient, caller, {
      client_id,
      metadata: JSON.stringify(metadata),
    })
  }
  async find(client_id: string): Promise<AdapterPayload | undefined> {
    // What comes in a query or a form may hold it; no client does, and PostgreSQL compares nothing with it.
    if (client_id.includes('\0')) return undefined
    const metadata = await this.run(findAppClient, { client_id })
    return metadata === null ? undefined : (JSON.parse(metadata) as AdapterPayload)
  }
}

/** The authorization server has no sessions of its own: ours say who is there, each time. */
class Forgetful extends Kind {
  async upsert(): Promise<void> {}
  async find(): Promise<undefined> {}
}
