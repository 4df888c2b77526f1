import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { call as callService } from '#web/api/call.ts'
import { explainQuery, searchItems } from '#web/api/operations.ts'
import { timeZone } from '#web/data/time-zone.ts'
import { Icon } from '#web/parts/icon.tsx'
import type { ChatPart } from '#web/rules/chat-parts.ts'
import css from '#web/chat/tool-line.module.css'

type Call = Extract<ChatPart, { type: 'tool_call' }>

const MOST_LINKS = 10
const MOST_SHOWN = 20_000

interface ToolLineProps {
  call: Call
  renderProposal: (proposal_id: string) => ReactNode
}

/** A tool that the assistant used: its name, what it looked for in words, how much it found; opened, all of it. */
export function ToolLine({ call, renderProposal }: ToolLineProps) {
  const { name, status, result, took } = call
  const given = recordOf(call.arguments)
  const filter = recordOf(given?.['filter'])
  const words = useFilterWords(filter)
  const error = recordOf(result)?.['error']
  const failed = typeof error === 'string' ? error : undefined
  const isRunning = status === 'running'
  const items = itemsOf(result)
  const proposed = proposalOf(result)
  return (
    <div className={css.tool}>
      <details>
        <summary className={css.line}>
          <Icon name={failed === undefined ? 'code' : 'alert'} />
          <span className={css.name}>{name.replaceAll('_', ' ')}</span>
          {words && <span className={css.words}>{words}</span>}
          <span className={css.note}>
            {[
              isRunning ? 'running…' : failed === undefined ? countWords(result) : 'refused',
              took !== undefined && `${(took / 1000).toFixed(1)} s`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </summary>
        <pre className={css.json}>{shown(call.arguments)}</pre>
        {result !== undefined && result !== null && <pre className={css.json}>{shown(result)}</pre>}
      </details>
      {failed !== undefined && <p className={css.failed}>{failed.split('\n')[0]}</p>}
      {failed !== undefined && BULK[name] && filter && <DoIt kind={BULK[name]} filter={filter} />}
      {proposed !== undefined && renderProposal(proposed)}
      {items.length > 0 && (
        <ul className={css.items} aria-label="Items">
          {items.slice(0, MOST_LINKS).map(({ item_id, name: called }) => (
            <li key={item_id}>
              <Link href={`/items/${item_id}`}>{called}</Link>
            </li>
          ))}
          {items.length > MOST_LINKS && <li>and {items.length - MOST_LINKS} more</li>}
        </ul>
      )}
    </div>
  )
}

/** What was refused, as the dialog of many calls it. */
const BULK: Readonly<Record<string, string>> = {
  bulk_update_field_values: 'set',
  bulk_apply_tag: 'add',
  bulk_remove_tag: 'remove',
  bulk_delete_items: 'delete',
}

/** The same by hand: the items, with the dialog over them that shows first what it would do. */
function DoIt({ kind, filter }: { kind: string; filter: Record<string, unknown> }) {
  const { data: total } = useQuery({
    queryKey: ['refused', filter],
    queryFn: async ({ signal }) =>
      (await callService(searchItems, { filter, limit: 0, count: true, time_zone: timeZone() }, { signal }))
        .total,
    retry: false,
  })
  const count = total === undefined ? '' : `: ${total.toLocaleString()} ${total === 1 ? 'item' : 'items'}`
  return (
    <Link
      className={css.own}
      href={`/items?${new URLSearchParams({ f: JSON.stringify(filter), bulk: kind })}`}
    >
      Do it yourself{count}
    </Link>
  )
}

const recordOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined

/** The filter in English, as the service says it. */
function useFilterWords(filter: Record<string, unknown> | undefined): string | undefined {
  return useQuery({
    queryKey: ['filter-words', filter],
    enabled: filter !== undefined,
    queryFn: async ({ signal }) =>
      (await callService(explainQuery, { filter: filter! }, { signal })).data.words,
    staleTime: Infinity,
  }).data
}

function itemsOf(result: unknown): { item_id: string; name: string }[] {
  const all = Array.isArray(result) ? result : [result]
  return all.filter((each): each is { item_id: string; name: string } => {
    const { item_id, name } = recordOf(each) ?? {}
    return typeof item_id === 'string' && typeof name === 'string'
  })
}

/** Of what was stored in place of a change, or proposed on purpose; what is very long is stored as text, cut. */
function proposalOf(result: unknown): string | undefined {
  if (typeof result === 'string') return /^\{"proposal_id":"(\w{26})"/.exec(result)?.[1]
  const { proposal_id } = recordOf(result) ?? {}
  return typeof proposal_id === 'string' ? proposal_id : undefined
}

function countWords(result: unknown): string {
  if (Array.isArray(result)) return `${result.length.toLocaleString()} found`
  const count = recordOf(result)?.['affected_count']
  return typeof count === 'number' ? `${count.toLocaleString()} changed` : ''
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? ''
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
