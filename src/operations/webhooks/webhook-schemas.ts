import { type Static, Type } from 'typebox'
import { Id, ItemFilter } from '#src/operations/schemas/inputs.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'
import { EVENT_TYPES, type EventType as EventTypeName } from '#src/storage/log/audit-log.ts'
import type { AnsweredDelivery } from '#src/storage/webhooks/deliveries.ts'
import type { WebhookRow } from '#src/storage/webhooks/webhooks.ts'

/** What is sent to try a webhook; no event of the log. */
export const TEST_TYPE = 'webhook_test'

const MAX_URL = 2000
const MAX_TAGS = 100
const MAX_DESCRIPTION = 1000

export const WebhookId = Id('Id of the webhook')
export const DeliveryId = Id('Id of the delivery')

const EventType = Type.Unsafe<EventTypeName>({ type: 'string', enum: [...EVENT_TYPES] })

export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: MAX_URL,
  description:
    'Where events are sent: https, without a name or password in it. With WEBHOOK_PRIVATE also private addresses, and http to those',
})

const orNone = <T extends Parameters<typeof Type.Array>[0]>(items: T, none: string) =>
  Type.Union([items, Type.Null()], { description: none })

/** Which events are sent; all that is given must hold. */
export const webhookInput = {
  event_types: Type.Optional(
    orNone(
      Type.Array(EventType, { minItems: 1, maxItems: EVENT_TYPES.length }),
      'Only events of these types; null: of every type',
    ),
  ),
  tag_ids: Type.Optional(
    orNone(
      Type.Array(Type.String({ maxLength: 2000 }), { minItems: 1, maxItems: MAX_TAGS }),
      'Only events that concern these tags (ids or names): a tag that was applied, removed or changed, or whose values changed; null: any',
    ),
  ),
  filter: Type.Optional(
    orNone(
      ItemFilter,
      'Only events of items that satisfy it after the change (a deleted one as it was); null: of everything, tags too',
    ),
  ),
  description: Type.Optional(
    Type.Union([Type.String({ maxLength: MAX_DESCRIPTION }), Type.Null()], {
      description: 'What it is for',
    }),
  ),
}

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableTime = Type.Union([Timestamp, Type.Null()])

export const Webhook = Type.Object(
  {
    webhook_id: Ulid,
    url: Type.String(),
    event_types: Type.Union([Type.Array(EventType), Type.Null()]),
    tag_ids: Type.Union([Type.Array(Ulid), Type.Null()]),
    filter: Type.Union([
      Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'With tag ids for names' }),
      Type.Null(),
    ]),
    description: NullableText,
    enabled: Type.Boolean(),
    disabled_at: NullableTime,
    disabled_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the service disabled it; null where an owner did',
    }),
    suspended: Type.Boolean({
      description:
        'Whoever made it is no owner any more. Nothing is sent to it until an owner enables it, and so takes it over',
    }),
    created_by: Type.Union([Ulid, Type.Null()], { description: 'Who made it, or took it over' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

export const NewWebhookAnswer = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({ description: 'What deliveries are signed with (whsec_…); it is shown only here' }),
  },
  { title: 'NewWebhook' },
)

export const Delivery = Type.Object(
  {
    delivery_id: Ulid,
    event_id: Type.Union([Ulid, Type.Null()], { description: 'null: a test' }),
    event_type: Type.Union([Type.String(), Type.Null()]),
    item_id: Type.Union([Ulid, Type.Null()]),
    tag_id: Type.Union([Ulid, Type.Null()]),
    status: Type.Unsafe<'pending' | 'delivered' | 'failed'>({
      type: 'string',
      enum: ['pending', 'delivered', 'failed'],
      description: '`failed`: given up',
    }),
    attempts: Type.Integer({ minimum: 0 }),
    response_status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Of the last attempt; null where no answer came',
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'What was wrong with the last attempt',
    }),
    created_at: Timestamp,
    last_attempt_at: NullableTime,
    next_attempt_at: Type.Union([Timestamp, Type.Null()], {
      description: 'null of a pending one: an earlier one of the same item comes first',
    }),
  },
  { title: 'WebhookDelivery' },
)
export type Delivery = Static<typeof Delivery>

export const EXAMPLE_WEBHOOK = {
  webhook_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  url: 'https://hooks.example.org/facet',
  event_types: ['tag_values_updated' as const],
  tag_ids: ['01JJXZ5T7GQ3M8K4B9R2C6D0EG'],
  filter: null,
  description: 'Tells the warehouse',
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  suspended: false,
  created_by: '01JJXZ5T7GQ3M8K4B9R2C6D0EH',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
}

export const EXAMPLE_DELIVERY = {
  delivery_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EJ',
  event_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EK',
  event_type: 'tag_values_updated',
  item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EM',
  tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EG',
  status: 'pending' as const,
  attempts: 1,
  response_status: 503,
  error: 'the answer was 503',
  created_at: '2026-01-31T09:30:00.000Z',
  last_attempt_at: '2026-01-31T09:30:00.120Z',
  next_attempt_at: '2026-01-31T09:30:05.120Z',
}

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))

/** As it is shown: without its secret. */
export const toWebhook = (row: WebhookRow): Webhook => ({
  webhook_id: row.webhook_id,
  url: row.url,
  event_types: parsed<EventTypeName[]>(row.event_types),
  tag_ids: parsed<string[]>(row.tag_ids),
  filter: parsed<Record<string, unknown>>(row.filter),
  description: row.description,
  enabled: row.enabled === 1,
  disabled_at: row.disabled_at,
  disabled_reason: row.disabled_reason,
  suspended: row.suspended_at !== null,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** In the order of the schema. */
export const toDelivery = (row: AnsweredDelivery): Delivery => ({
  delivery_id: row.delivery_id,
  event_id: row.event_id,
  event_type: row.event_id === null ? TEST_TYPE : row.event_type,
  item_id: row.item_id,
  tag_id: row.tag_id,
  status: row.status,
  attempts: row.attempts,
  response_status: row.response_status,
  error: row.error,
  created_at: row.created_at,
  last_attempt_at: row.last_attempt_at,
  next_attempt_at: row.next_attempt_at,
})
