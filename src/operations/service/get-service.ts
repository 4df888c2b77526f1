import { Type } from 'typebox'
import { PROVIDERS } from '#src/auth/identity-provider.ts'
import { newDevice } from '#src/auth/known-device.ts'
import type { LlmConfig } from '#src/config/config.ts'
import { Reply, type ReplyMeta } from '#src/domain/reply.ts'
import { getMe } from '#src/operations/account/profile/get-me.ts'
import { findNewestSeen } from '#src/operations/audit/audit-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { VERSION } from '#src/domain/version.ts'

export const getService = defineOperation({
  name: 'getService',
  summary: 'What this service is, and what a page that signs people in must know of it.',
  description:
    '`signed_in` says whether the request came with a full session; with one, `chat` also names provider and model, and the header `X-Event-Id` the newest event: what is read after this answer, and followed by GET /api/changes/stream with this `after`, lacks nothing.',
  access: 'none',
  effect: 'compose',
  rest: 'GET /api/service',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object(
    {
      name: Type.String(),
      version: Type.String(),
      public_url: Type.String(),
      registration: Type.Union([Type.Literal('open'), Type.Literal('closed'), Type.Literal('domain')]),
      providers: Type.Array(
        Type.Object({ id: Type.String(), name: Type.String({ description: 'For people' }) }),
        { description: 'Identity providers that are configured' },
      ),
      chat: Type.Object({
        configured: Type.Boolean(),
        provider: Type.Optional(Type.String()),
        model: Type.Optional(
          Type.Union([Type.String(), Type.Null()], { description: 'null: LLM_MODEL is still to be set' }),
        ),
      }),
      passwords: Type.Optional(
        Type.Literal(false, { description: 'Passwords sign nobody in; without it they do' }),
      ),
      passkeys: Type.Boolean({ description: 'Passkeys can be used' }),
      signed_in: Type.Boolean(),
      time_zone: Type.String({ description: 'IANA name of the zone that the service thinks in' }),
    },
    { title: 'Service' },
  ),
  example: {
    output: {
      name: 'Facet',
      version: VERSION,
      public_url: 'http://localhost:3000',
      registration: 'open',
      providers: [{ id: 'idp_a', name: 'Google' }],
      chat: { configured: false },
      passkeys: true,
      signed_in: false,
      time_zone: 'UTC',
    },
  },
  async run({ caller, call, services: { config, secrets } }) {
    const signed_in = caller.user_id !== null && caller.session?.state !== 'partial'
    const { provider, model } = config.llm
    const { session } = caller
    const more: ReplyMeta = {}
    if (signed_in && session) {
      const [me, event_id] = await Promise.all([call(getMe, {}), call(findNewestSeen, {})])
      more.event_id = event_id
      // What signs people in asks here first: so it is known at the next sign-in.
      more.device = newDevice(secrets, me, session)
    }
    const answer = {
      name: 'Facet',
      version: VERSION,
      public_url: config.public_url,
      registration: config.registration.kind,
      providers: PROVIDERS.flatMap((id) => {
        const settings = config[id]
        return settings ? [{ id, name: settings.name }] : []
      }),
      chat: { configured: hasModel(config.llm), ...(signed_in && { provider, model }) },
      ...(!config.passwords && { passwords: false as const }),
      passkeys: true,
      signed_in,
      time_zone: config.time_zone,
    }
    return Reply.of(answer, more)
  },
})

/** Whether the settings that the provider needs are there. */
const hasModel = ({ provider, api_key, base_url, model }: LlmConfig): boolean =>
  provider === 'openai-compatible' ? base_url !== null && model !== null : api_key !== null
