import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Fault, toFault } from '#web/api/fault.ts'
import { isWatched, useWatch } from '#web/data/use-watch.ts'
import { useViewWrites, type ViewContents } from '#web/data/view-writes.ts'
import type { View } from '#web/data/views-query.ts'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { Menu } from '#web/parts/menu.tsx'
import type { MenuEntry } from '#web/parts/menu-props.ts'
import { toast } from '#web/parts/toast.tsx'
import { useIfSettled } from '#web/parts/unsettled.ts'
import { useBusy } from '#web/parts/use-busy.ts'
import css from '#web/view/view-bar.module.css'

const NameDialog = loadedDialog(() =>
  import('#web/view/name-dialog.tsx').then(({ NameDialog }) => NameDialog),
)
const DeleteViewDialog = loadedDialog(() =>
  import('#web/view/delete-view-dialog.tsx').then(({ DeleteViewDialog }) => DeleteViewDialog),
)

export interface ViewBarProps {
  /** Undefined: the table of a tag, or of all items. */
  view: View | undefined
  /** The view was deleted, or is shared no more, since it was opened: what it shows can be saved again. */
  isGone: boolean
  /** Only its owner changes a view. */
  isOwn: boolean
  /** What is shown is not what the view stores; without a view: there is something to store. */
  isChanged: boolean
  /** What would be stored now. */
  contents: () => ViewContents
  /** Back to what the view stores. */
  onReset: () => void
  /** An owner may end that somebody else shares a view. */
  mayUnshare: boolean
  /** Runs what may ask for a fresh proof. */
  confirmed: <T>(run: () => Promise<T>) => Promise<T | Fault>
}

/** Keeps what a table shows as a view. */
export function ViewBar(props: ViewBarProps) {
  const { view, isGone, isChanged, contents, onReset, mayUnshare, confirmed } = props
  const isOwn = props.isOwn && !isGone
  const [dialog, setDialog] = useState<'save as' | 'rename' | 'delete' | null>(null)
  const writes = useViewWrites()
  const watching = useWatch()
  const [, go] = useLocation()
  const close = () => setDialog(null)
  const ifSettled = useIfSettled()
  const saveAs = () => ifSettled(() => setDialog('save as'))
  const [isBusy, alone] = useBusy()
  const latest = useRef(contents)
  useEffect(() => {
    latest.current = contents
  })
  const save = async () => {
    if (!view || !isOwn) return saveAs()
    const kept = contents()
    const saved = await writes.update(view, kept).catch(toFault)
    if (saved instanceof Fault) return toast({ text: saved.message, kind: 'danger' })
    // What was changed before the answer came is not saved: it stays.
    if (JSON.stringify(latest.current()) === JSON.stringify(kept)) onReset()
    toast({ text: `Saved ${view.name}` })
  }
  const share = async (shared: boolean) => {
    const saved = await writes.update(view!, { shared }).catch(toFault)
    if (saved instanceof Fault) return toast({ text: saved.message, kind: 'danger' })
    toast({ text: shared ? `Everybody sees ${saved.name} now` : `${saved.name} is yours alone again` })
  }
  const unshare = async () => {
    const fault = await confirmed(() => writes.unshare(view!))
    if (fault instanceof Fault) return toast({ text: fault.message, kind: 'danger' })
    toast({ text: `${view!.name} is shared no more` })
    go('/views', { replace: true })
  }
  useActions(
    isChanged
      ? [
          {
            id: 'view.save',
            title: view ? 'Save the view' : 'Save as a view',
            group: 'Table',
            run: () => ifSettled(() => void alone(save)),
          },
        ]
      : [],
  )
  return (
    <>
      {view && !isOwn && !isGone && <span className={css.note}>Shared by somebody else</span>}
      {isGone && (
        <>
          <span className={css.note} role="status">
            This view was deleted, or is shared no more: only this page still has it
          </span>
          <Button icon="view" onClick={saveAs}>
            Save it again …
          </Button>
        </>
      )}
      {isChanged && !isGone && (
        <Button kind="quiet" icon="view" disabled={isBusy} onClick={() => ifSettled(() => void alone(save))}>
          {view && isOwn ? 'Save' : 'Save view'}
          {view && <span className={css.dot} role="img" aria-label="Not saved" />}
        </Button>
      )}
      {isChanged && view && (
        <Button kind="quiet" onClick={onReset}>
          Reset
        </Button>
      )}
      {view && !isGone && (
        <Menu
          label="View"
          button={<Icon name="more" />}
          entries={[
            ...watchEntries(view, watching),
            { label: 'Save as …', icon: 'copy', parted: true, run: saveAs },
            ...(isOwn
              ? [
                  view.shared
                    ? { label: 'Share no more', icon: 'user' as const, run: () => void share(false) }
                    : {
                        label: 'Share with everybody',
                        icon: 'users' as const,
                        run: () => void share(true),
                      },
                  { label: 'Rename …', icon: 'edit' as const, run: () => setDialog('rename') },
                  {
                    label: 'Delete view …',
                    icon: 'trash' as const,
                    danger: true,
                    parted: true,
                    run: () => setDialog('delete'),
                  },
                ]
              : mayUnshare
                ? [{ label: 'End its sharing', icon: 'user' as const, run: () => void unshare() }]
                : []),
          ]}
        />
      )}
      {dialog === 'save as' && (
        <NameDialog
          title="Save as a view"
          name={!view ? '' : isGone ? view.name : `${view.name} 2`}
          verb="Save"
          onClose={close}
          onName={async (name) => {
            const made = await writes.create(name, { ...contents(), ...(view && { icon: view.icon }) })
            onReset()
            go(`/views/${made.view_id}`)
          }}
        />
      )}
      {dialog === 'rename' && view && (
        <NameDialog
          title="Rename the view"
          name={view.name}
          verb="Rename"
          onClose={close}
          onName={async (name) => void (await writes.update(view, { name }))}
        />
      )}
      {dialog === 'delete' && view && (
        <DeleteViewDialog
          view={view}
          onClose={close}
          onDelete={async () => {
            await writes.remove(view)
            go('/items', { replace: true })
          }}
        />
      )}
    </>
  )
}

const EVENTS = [
  ['enter', 'Tell me what comes in'],
  ['change', 'Tell me what changes'],
  ['leave', 'Tell me what leaves'],
] as const

/** Of what in the view there are notifications: nothing, or each kind of event by itself. */
function watchEntries(view: View, { begin, choose, mute }: ReturnType<typeof useWatch>): MenuEntry[] {
  if (!isWatched(view)) return [{ label: 'Watch', icon: 'bell', run: () => void begin(view) }]
  return [
    ...EVENTS.map(([kind, label]) => ({
      label,
      checked: view.watch[kind],
      run: () => void choose(view, { ...view.watch, [kind]: !view.watch[kind] }),
    })),
    { label: 'Mute', icon: 'bell_off', run: () => void mute(view) },
  ]
}
