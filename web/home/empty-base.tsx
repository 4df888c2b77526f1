import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { batch } from '#web/api/operations.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { undoLast } from '#web/data/undo-stack.ts'
import { Button } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { Mark } from '#web/parts/mark.tsx'
import { Note } from '#web/parts/note.tsx'
import { toast } from '#web/parts/toast.tsx'
import { demoData } from '#web/rules/demo-data.ts'
import { TAG_TEMPLATES } from '#web/rules/tag-templates.ts'
import css from '#web/home/empty-base.module.css'

/** Where nothing is yet: three ways to begin, and something to look around in. */
export function EmptyBase({ mayWrite }: { mayWrite: boolean }) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const fill = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      const { data } = await call(batch, { operations: demoData() })
      const renew = () => client.invalidateQueries()
      keepChange('Filled the base with demo data', data.change_id ?? undefined, renew)
      toast({
        text: 'Here are people, projects and tasks. Undo takes all of them away.',
        action: { label: 'Undo', run: () => void undoLast() },
      })
      await renew()
    } catch (error) {
      setFault((error as Error).message)
      setBusy(false)
    }
  }
  return (
    <div className={css.page}>
      <header className={css.header}>
        <Mark size={40} />
        <h1>This base is empty</h1>
        <p>
          A tag is a kind of thing with fields of its own, like Task or Person. Items carry tags, and are
          found by them.
        </p>
      </header>
      {mayWrite ? (
        <>
          <div className={css.starts}>
            <section className={css.start}>
              <h2>
                <Icon name="tag" /> Make a tag
              </h2>
              <p>Begin with one of these and change it at will.</p>
              <ul className={css.templates} aria-label="Templates">
                {TAG_TEMPLATES.map(({ id, about, tag: { name } }) => (
                  <li key={id}>
                    <Link href={`/tags/new?template=${id}`} className={css.template}>
                      <strong>{name}</strong>
                      <span>{about}</span>
                      <Icon name="chevron_right" />
                    </Link>
                  </li>
                ))}
                <li>
                  <Link href="/tags/new" className={css.template}>
                    <strong>A tag of your own</strong>
                    <span>Name it and give it fields</span>
                    <Icon name="plus" />
                  </Link>
                </li>
              </ul>
            </section>
            <section className={css.start}>
              <h2>
                <Icon name="upload" /> Bring a table
              </h2>
              <p>Paste from a spreadsheet or choose a CSV file: its columns become fields.</p>
              <Link href="/import" className={css.go}>
                Import CSV
              </Link>
            </section>
            <section className={css.start}>
              <h2>
                <Icon name="bot" /> Connect an agent
              </h2>
              <p>Claude, ChatGPT, Cursor or your own program fills and asks the base by MCP or REST.</p>
              <Link href="/settings/agents" className={css.go}>
                Connect an agent
              </Link>
            </section>
          </div>
          <div className={css.demo}>
            <p>Only looking around?</p>
            <Button icon="sparkle" disabled={isBusy} onClick={() => void fill()}>
              {isBusy ? 'Filling…' : 'Fill it with demo data'}
            </Button>
          </div>
          {fault && <Note kind="danger">{fault}</Note>}
        </>
      ) : (
        <p className={css.header}>You may read this base, not change it: somebody else has to begin.</p>
      )}
    </div>
  )
}
