import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { createKey, deleteApp, deleteKey, listApps, listKeys, searchChanges } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { serviceQuery } from '#web/data/service-query.ts'
import { Button } from '#web/parts/button.tsx'
import { CopyButton } from '#web/parts/copy-button.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { toast } from '#web/parts/toast.tsx'
import { sayMoment, sayShort } from '#web/rules/say-time.ts'
import { KeyForm, type KeyInput } from '#web/agents/key-form.tsx'
import { LimitWords, type RenderFilterBar } from '#web/agents/limit-fields.tsx'
import { SCOPE_WORDS } from '#web/agents/scope-words.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { CLIENT_SETUPS } from '#web/agents/client-setups.ts'
import { Name } from '#web/parts/name.tsx'
import { plainName } from '#web/rules/plain-name.ts'
import css from '#web/parts/settings.module.css'

/** Asks for a fresh proof where the service wants one, and goes on. */
export type Confirmed = <T>(run: () => Promise<T>) => Promise<T | Fault>
type NewKey = OutputOf<typeof createKey>

/** Milliseconds between polls for whether the agent has come. */
const LOOK = 3000

const accessQuery = {
  queryKey: ['access'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const [keys, apps] = await Promise.all([call(listKeys, {}, { signal }), call(listApps, {}, { signal })])
    return { keys: keys.data, apps: apps.data }
  },
  staleTime: 0,
}

interface AgentsSettingsProps {
  confirmed: Confirmed
  renderFilterBar: RenderFilterBar
  /** A filter in words. */
  renderFilter: (filter: Filter) => ReactNode
}

/** Letting agents in: how each client is set up, whether it has come, what it did last, and how it is put out. */
export function AgentsSettings({ confirmed, renderFilterBar, renderFilter }: AgentsSettingsProps) {
  const [key, setKey] = useState<NewKey>()
  return (
    <>
      <Connect made={key} />
      <Keys made={key} onMade={setKey} {...{ confirmed, renderFilterBar, renderFilter }} />
      <Apps renderFilter={renderFilter} />
    </>
  )
}

function Connect({ made }: { made: NewKey | undefined }) {
  const service = useQuery(serviceQuery).data
  const [chosen, setChosen] = useState(CLIENT_SETUPS[0]!)
  // The light: whatever was used for the first time, or again, since this page was opened.
  const [opened] = useState(() => Date.now())
  const access = useQuery({ ...accessQuery, refetchInterval: LOOK }).data
  const all = [...(access?.keys ?? []), ...(access?.apps ?? [])]
  const came = all.find(
    ({ last_used_at, created_at }) =>
      last_used_at !== null &&
      (Date.parse(last_used_at) >= opened - 60_000 || Date.parse(created_at) >= opened),
  )
  if (!service) return null
  const address = `${service.public_url.replace(/\/$/, '')}/api/mcp`
  const text = chosen.text(address, made?.key ?? null)
  return (
    <PageSection
      title="Connect an agent"
      lead="Most clients need only the address: they open a page here that asks you what they may do. What they change is marked, and can be taken back."
    >
      <div className={css.controls} role="group" aria-label="Which client">
        {CLIENT_SETUPS.map((each) => (
          <Button key={each.id} aria-pressed={each.id === chosen.id} onClick={() => setChosen(each)}>
            {each.name}
          </Button>
        ))}
      </div>
      <p>{chosen.how}</p>
      <code className={css.code}>{text}</code>
      <div className={css.controls}>
        <CopyButton text={text} />
        <span className={`${css.light} ${came ? css.lit : ''}`} role="status">
          {came ? `${came.name} is connected` : 'Waiting for its first call…'}
        </span>
      </div>
      {chosen.needsKey && !made && (
        <p className={css.about}>It needs a key: make one below, and it is here.</p>
      )}
    </PageSection>
  )
}

interface KeysProps extends AgentsSettingsProps {
  made: NewKey | undefined
  onMade: (key: NewKey | undefined) => void
}

function Keys({ made, onMade, confirmed, renderFilterBar, renderFilter }: KeysProps) {
  const client = useQueryClient()
  const keys = useQuery(accessQuery).data?.keys ?? []
  const [fault, setFault] = useState<Fault>()
  const add = async (input: KeyInput): Promise<boolean> => {
    setFault(undefined)
    const answer = await confirmed(() => call(createKey, input))
    if (answer instanceof Fault) {
      setFault(answer)
      return false
    }
    onMade(answer.data)
    await client.invalidateQueries({ queryKey: accessQuery.queryKey })
    return true
  }
  const revoke = async (key_id: string, name: string) => {
    try {
      await call(deleteKey, { key_id })
      toast({ text: `${name} lets nobody in any more` })
      if (made?.key_id === key_id) onMade(undefined)
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'danger' })
    }
    await client.invalidateQueries({ queryKey: accessQuery.queryKey })
  }
  return (
    <PageSection
      title="Keys"
      lead="For scripts and for clients that take a header. A key acts as you, and never beyond your role."
    >
      <KeyForm fault={fault} renderFilterBar={renderFilterBar} onMake={add} />
      {made && (
        <Note kind="good" icon="key">
          <p>
            This is the key of <Name of={made.name} />. It is shown only here, and is in the configuration
            above.
          </p>
          <code className={css.code}>{made.key}</code>
          <div>
            <CopyButton text={made.key} label="Copy the key" />
          </div>
        </Note>
      )}
      {keys.length > 0 && (
        <ul className={css.list} aria-label="Keys">
          {keys.map(({ key_id, name, scope, prefix, expires_at, last_used_at, limit }) => (
            <li key={key_id} className={css.row}>
              <div className={css.what}>
                <Name of={name} />
                <p className={css.about}>
                  {prefix}… · {SCOPE_WORDS[scope].does}
                  {expires_at && ` · until ${sayMoment(expires_at)}`} ·{' '}
                  {last_used_at ? `last used ${sayShort(last_used_at)}` : 'never used'}
                </p>
                {limit && (
                  <p className={css.about}>
                    <LimitWords limit={limit} renderFilter={renderFilter} />
                  </p>
                )}
                <LastDone client_id={key_id} />
              </div>
              <Button
                kind="quiet"
                aria-label={`Revoke ${plainName(name)}`}
                onClick={() => void revoke(key_id, name)}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
    </PageSection>
  )
}

function Apps({ renderFilter }: Pick<AgentsSettingsProps, 'renderFilter'>) {
  const client = useQueryClient()
  const apps = useQuery(accessQuery).data?.apps ?? []
  if (!apps.length) return null
  const revoke = async (app_id: string, name: string) => {
    try {
      await call(deleteApp, { app_id })
      toast({ text: `${name} is out` })
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'danger' })
    }
    await client.invalidateQueries({ queryKey: accessQuery.queryKey })
  }
  return (
    <PageSection
      title="Apps"
      lead="Programs that you let in on the page that asked you. The name is their own word."
    >
      <ul className={css.list} aria-label="Apps">
        {apps.map(({ app_id, name, client_uri, scope, created_at, last_used_at, limit }) => (
          <li key={app_id} className={css.row}>
            <div className={css.what}>
              <Name of={name} />
              <p className={css.about}>
                {client_uri && `${client_uri} · `}
                {SCOPE_WORDS[scope].does} · since {sayShort(created_at)} ·{' '}
                {last_used_at ? `last used ${sayShort(last_used_at)}` : 'never used'}
              </p>
              {limit && (
                <p className={css.about}>
                  <LimitWords limit={limit} renderFilter={renderFilter} />
                </p>
              )}
              <LastDone client_id={app_id} />
            </div>
            <Button
              kind="quiet"
              aria-label={`Revoke ${plainName(name)}`}
              onClick={() => void revoke(app_id, name)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </PageSection>
  )
}

/** The last that it changed, and the way to all of it. */
function LastDone({ client_id }: { client_id: string }) {
  const { data } = useQuery({
    queryKey: ['changes', 'latest-of', client_id],
    queryFn: async ({ signal }) =>
      (await call(searchChanges, { client_id, limit: 1 }, { signal })).data[0] ?? null,
    staleTime: 0,
  })
  if (!data) return null
  return (
    <p className={css.about}>
      <Link href={`/history?client=${client_id}`}>{data.summary}</Link>, {sayShort(data.created_at)}
    </p>
  )
}
