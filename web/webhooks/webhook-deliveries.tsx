import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { retryDelivery } from '#web/api/operations.ts'
import { useItemName } from '#web/data/item-names.ts'
import { deliveriesQuery, type Delivery } from '#web/data/webhooks-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import { OlderButton } from '#web/parts/older-button.tsx'
import { toast } from '#web/parts/toast.tsx'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import { sayEvent } from '#web/webhooks/event-words.ts'
import settings from '#web/parts/settings.module.css'
import css from '#web/webhooks/webhooks.module.css'

export type Confirmed = <T>(run: () => Promise<T>) => Promise<T | Fault>

interface WebhookDeliveriesProps {
  webhook_id: string
  /** Nothing is sent to a disabled one. */
  enabled: boolean
  confirmed: Confirmed
}

/** What was sent and what is to be, newest first. */
export function WebhookDeliveries({ webhook_id, enabled, confirmed }: WebhookDeliveriesProps) {
  const client = useQueryClient()
  const query = deliveriesQuery(webhook_id)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(query)
  const deliveries = data?.pages.flatMap((page) => page.data) ?? []
  const retry = async (delivery_id: string) => {
    const answer = await confirmed(() => call(retryDelivery, { webhook_id, delivery_id }))
    if (answer instanceof Fault) toast({ text: answer.message, kind: 'danger' })
    else toast({ text: 'It is sent now' })
    await client.invalidateQueries({ queryKey: query.queryKey })
  }
  if (error) return <Note kind="danger">{error.message}</Note>
  if (data && !deliveries.length) return <p className={settings.about}>Nothing has been sent yet.</p>
  return (
    <>
      <ul className={css.list} aria-label="Deliveries">
        {deliveries.map((each) => (
          <li key={each.delivery_id} className={css.delivery}>
            <span className={`${css.state} ${css[each.status]}`}>{stateOf(each)}</span>
            <div className={settings.what}>
              {sayEvent(each.event_type)}
              {each.item_id && (
                <>
                  {': '}
                  <ItemLink item_id={each.item_id} />
                </>
              )}
              <p className={settings.about}>{aboutOf(each)}</p>
            </div>
            <time className={settings.about} dateTime={each.created_at} title={sayMoment(each.created_at)}>
              {sayShort(each.created_at)}
            </time>
            {enabled && each.event_id && !isHeldBack(each) && (
              <Button
                kind="quiet"
                aria-label={`${sendWords(each)}: ${sayEvent(each.event_type)}, ${sayMoment(each.created_at)}`}
                onClick={() => void retry(each.delivery_id)}
              >
                {sendWords(each)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <OlderButton {...{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </>
  )
}

function ItemLink({ item_id }: { item_id: string }) {
  const name = useItemName(item_id)
  return <Link href={`/items/${item_id}`}>{name ?? 'an item'}</Link>
}

const isHeldBack = ({ status, next_attempt_at }: Delivery): boolean =>
  status === 'pending' && next_attempt_at === null

const sendWords = ({ status }: Delivery): string => (status === 'delivered' ? 'Send again' : 'Send now')

const stateOf = ({ status, attempts }: Delivery): string =>
  ({ delivered: 'delivered', failed: 'failed', pending: attempts ? 'tried' : 'waits' })[status]

function aboutOf(delivery: Delivery): string {
  const { attempts, error, response_status, next_attempt_at } = delivery
  const said = [
    attempts > 1 && `${attempts} attempts`,
    error ?? (response_status !== null && `answered ${response_status}`),
    isHeldBack(delivery) && 'an earlier one of the same item comes first',
    next_attempt_at && attempts > 0 && `next attempt ${sayMoment(next_attempt_at)}`,
  ]
  return said.filter(Boolean).join(' · ')
}
