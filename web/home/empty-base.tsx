import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '#web/api/call.ts'
import { batch, useTemplate } from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { undoLast } from '#web/data/undo-stack.ts'
import { Button } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { Mark } from '#web/parts/mark.tsx'
import { Note } from '#web/parts/note.tsx'
import { toast } from '#web/parts/toast.tsx'
import { BASE_TEMPLATES, type BaseTemplate, wholeTemplate } from '#web/rules/base-templates.ts'
import { demoData } from '#web/rules/demo-data.ts'
import { TAG_TEMPLATES } from '#web/rules/tag-templates.ts'
import { TemplateFiles } from '#web/home/template-files.tsx'
import css from '#web/home/empty-base.module.css'

/** What was made to begin with, for the undo stack and for people. */
interface Begun {
  change_id: string | null
  words: string
  text: string
}

/** Where nothing is yet: three ways to begin, and something to look around in. */
export function EmptyBase({ mayWrite }: { mayWrite: boolean }) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const make = async (begin: () => Promise<Begun>) => {
    setBusy(true)
    setFault(undefined)
    try {
      const { change_id, words, text } = await begin()
      const renew = () => client.invalidateQueries()
      keepChange(words, change_id ?? undefined, renew)
      toast({ text, action: { label: 'Undo', run: () => void undoLast() } })
      await renew()
    } catch (error) {
      setFault((error as Error).message)
      setBusy(false)
    }
  }
  const fill = () =>
    make(async () => {
      const { data } = await call(batch, { operations: demoData() })
      const text = 'Here are people, projects and tasks. Undo takes all of them away.'
      return { change_id: data.change_id, words: 'Filled the base with demo data', text }
    })
  const begin = (chosen: BaseTemplate) =>
    make(async () => {
      const { name } = chosen
      const template = await wholeTemplate(chosen)
      const { data } = await call(useTemplate, { template } as InputOf<typeof useTemplate>)
      const words = `Began with the template ${name}`
      return { change_id: data.change_id, words, text: `${words}. Undo takes its tags and items away.` }
    })
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
                <Icon name="upload" /> Bring a file
              </h2>
              <p>A spreadsheet, a folder of notes or an export of another program becomes items.</p>
              <Link href="/import" className={css.go}>
                Import a file
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
          <section className={css.start}>
            <h2>
              <Icon name="sparkle" /> Begin with a whole base
            </h2>
            <p>Tags, views and a few samples that fit together.</p>
            <ul className={css.templates} aria-label="Whole bases">
              {BASE_TEMPLATES.map((template) => (
                <li key={template.name}>
                  <button
                    type="button"
                    className={css.template}
                    disabled={isBusy}
                    onClick={() => void begin(template)}
                  >
                    <strong>{template.name}</strong>
                    <span>{template.about}</span>
                    <Icon name="chevron_right" />
                  </button>
                </li>
              ))}
            </ul>
            <TemplateFiles mayWrite />
          </section>
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
