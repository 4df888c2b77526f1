import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { createWebhook, deleteWebhook, testWebhook, updateWebhook } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { meQuery } from '#web/data/me-query.ts'
import { useTags } from '#web/data/tags-query.ts'
import { useNameOfUser } from '#web/data/users-query.ts'
import { type Webhook, webhooksQuery } from '#web/data/webhooks-query.ts'
import { Button } from '#web/parts/button.tsx'
import { CopyButton } from '#web/parts/copy-button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Name } from '#web/parts/name.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { sayMoment } from '#web/rules/say-time.ts'
import { EVENT_WORDS } from '#web/webhooks/event-words.ts'
import { type Confirmed, WebhookDeliveries } from '#web/webhooks/webhook-deliveries.tsx'
import { WebhookForm, type WebhookInput } from '#web/webhooks/webhook-form.tsx'
import settings from '#web/parts/settings.module.css'
import { plainName } from '#web/rules/plain-name.ts'
import css from '#web/webhooks/webhooks.module.css'

interface WebhooksSettingsProps {
  confirmed: Confirmed
  /** A filter in words. */
  renderFilter: (filter: Record<string, unknown>) => ReactNode
}

/** Where events are sent, how that goes, and what is still to be sent. */
export function WebhooksSettings({ confirmed, renderFilter }: WebhooksSettingsProps) {
  const client = useQueryClient()
  const me = useQuery(meQuery).data
  const isOwner = me?.role === 'owner'
  const { data: webhooks } = useQuery({ ...webhooksQuery, enabled: isOwner })
  const [edited, setEdited] = useState<Webhook | 'new'>()
  const [fault, setFault] = useState<Fault>()
  const [made, setMade] = useState<OutputOf<typeof createWebhook>>()
  const [isBusy, alone] = useBusy()
  if (me && !isOwner) return <p>Only owners see and make webhooks.</p>
  const renew = () => client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  const edit = (webhook: Webhook | 'new' | undefined) => {
    setFault(undefined)
    setEdited(webhook)
  }
  const save = async (input: WebhookInput) => {
    const answer =
      edited === 'new'
        ? await confirmed(async () => setMade((await call(createWebhook, input)).data))
        : await confirmed(() => call(updateWebhook, { webhook_id: edited!.webhook_id, ...input }))
    if (answer instanceof Fault) return setFault(answer)
    edit(undefined)
    await renew()
  }
  return (
    <PageSection
      title="Where changes are sent"
      lead="What changes is posted to an address, one event at a time, signed as Standard Webhooks has it. What fails is tried again over 32 hours."
      actions={
        <Button kind="primary" icon="plus" onClick={() => edit('new')}>
          New webhook
        </Button>
      }
    >
      {made && (
        <Note kind="good" icon="key">
          <p>
            With this secret {hostOf(made.url)} checks that a delivery comes from here. It is shown only here.
          </p>
          <code className={settings.code}>{made.secret}</code>
          <div>
            <CopyButton text={made.secret} label="Copy the secret" />
          </div>
        </Note>
      )}
      {webhooks && !webhooks.length && <p className={settings.about}>There are none yet.</p>}
      <ul className={css.list} aria-label="Webhooks">
        {webhooks?.map((webhook) => (
          <Entry
            key={webhook.webhook_id}
            webhook={webhook}
            confirmed={confirmed}
            renderFilter={renderFilter}
            onEdit={() => edit(webhook)}
            onChanged={renew}
          />
        ))}
      </ul>
      {edited && (
        <WebhookForm
          key={edited === 'new' ? 'new' : edited.webhook_id}
          webhook={edited === 'new' ? undefined : edited}
          fault={fault}
          renderFilter={renderFilter}
          isBusy={isBusy}
          onSave={(input) => void alone(() => save(input))}
          onClose={() => edit(undefined)}
        />
      )}
    </PageSection>
  )
}

interface EntryProps extends WebhooksSettingsProps {
  webhook: Webhook
  onEdit: () => void
  onChanged: () => Promise<void>
}

function Entry({ webhook, confirmed, renderFilter, onEdit, onChanged }: EntryProps) {
  const { webhook_id, url, description, enabled, disabled_at, disabled_reason, suspended } = webhook
  const enabling = suspended ? 'Take over' : 'Enable'
  const nameOf = useNameOfUser()
  const [open, setOpen] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const name = plainName(description || hostOf(url))
  const run = async <T,>(change: () => Promise<T>, words: (answer: T) => string) => {
    const answer = await confirmed(change)
    if (answer instanceof Fault) toast({ text: answer.message, kind: 'danger' })
    else toast({ text: words(answer) })
    await onChanged()
  }
  return (
    <li className={css.entry}>
      <div className={css.head}>
        <div className={settings.what}>
          {description && (
            <p>
              <Name of={description} />
            </p>
          )}
          <p className={description ? settings.about : undefined}>{url}</p>
          <p className={settings.about}>
            <Choice webhook={webhook} renderFilter={renderFilter} />
          </p>
        </div>
        <div className={css.controls}>
          <Button
            aria-label={`Test ${name}`}
            onClick={() =>
              void run(
                () => call(testWebhook, { webhook_id }),
                ({ data: { status, response_status, error } }) =>
                  status === 'delivered' ? `It answered ${response_status}` : `The test failed: ${error}`,
              )
            }
          >
            Test
          </Button>
          <Button
            aria-label={`${enabled ? 'Disable' : enabling} ${name}`}
            onClick={() =>
              void run(
                () => call(updateWebhook, { webhook_id, enabled: !enabled }),
                () => (enabled ? `${name} waits` : `${name} goes on where it stood`),
              )
            }
          >
            {enabled ? 'Disable' : enabling}
          </Button>
          <Button aria-label={`Change ${name}`} onClick={onEdit}>
            Change
          </Button>
          <Button aria-expanded={open} aria-label={`Deliveries of ${name}`} onClick={() => setOpen(!open)}>
            Deliveries
          </Button>
          <Button kind="danger" aria-label={`Delete ${name}`} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      </div>
      {suspended && (
        <Note kind="warn">
          Suspended{disabled_at && ` since ${sayMoment(disabled_at)}`}: {nameOf(webhook.created_by)} made it,
          and is no owner any more. Look where it leads to. Taken over, it is yours and goes on where it
          stood, at most 30 days back.
        </Note>
      )}
      {!enabled && !suspended && (
        <Note kind="warn">
          Disabled{disabled_at && ` since ${sayMoment(disabled_at)}`}
          {disabled_reason ? `: ${disabled_reason}` : ''}. Enabled, it goes on where it stood, at most 30 days
          back.
        </Note>
      )}
      {open && <WebhookDeliveries webhook_id={webhook_id} enabled={enabled} confirmed={confirmed} />}
      {deleting && (
        <Dialog
          title={`Delete the webhook ${name}?`}
          onClose={() => setDeleting(false)}
          footer={
            <>
              <Button onClick={() => setDeleting(false)}>Cancel</Button>
              <Button
                kind="danger"
                onClick={() => {
                  setDeleting(false)
                  void run(
                    () => call(deleteWebhook, { webhook_id }),
                    () => 'Deleted the webhook',
                  )
                }}
              >
                Delete it
              </Button>
            </>
          }
        >
          <p>Nothing more is sent to it, and what was sent is forgotten. Disabled, it could go on later.</p>
        </Dialog>
      )}
    </li>
  )
}

/** What it is sent, in words. */
function Choice({
  webhook,
  renderFilter,
}: {
  webhook: Webhook
  renderFilter: WebhooksSettingsProps['renderFilter']
}) {
  const tags = useTags()
  const { event_types, tag_ids, filter } = webhook
  const names = tag_ids?.map((id) => tags?.find(({ tag_id }) => tag_id === id)?.name ?? 'a deleted tag')
  return (
    <>
      {event_types ? `When ${event_types.map((type) => EVENT_WORDS[type]).join(', ')}` : 'Whatever happens'}
      {names && ` · about ${names.join(', ')}`}
      {filter && <> · of items where {renderFilter(filter)}</>}
    </>
  )
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url
