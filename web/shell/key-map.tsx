import { Fragment } from 'react'
import { type Action, useCurrentActions } from '#web/parts/action.ts'
import { Dialog } from '#web/parts/dialog.tsx'
import { Keys } from '#web/parts/keys.tsx'
import css from '#web/shell/key-map.module.css'

const FIRST = ['Everywhere', 'Go', 'Table']
/** Other groups come after these, in the order in which they were offered. */
const placeOf = (group: string) => (FIRST.indexOf(group) + FIRST.length + 1) % (FIRST.length + 1)

/** What has several keys stands there once. */
const byTitle = (actions: readonly Action[]) => Map.groupBy(actions, ({ title }) => title)

/** All keys that act here. */
export function KeyMap({ onClose }: { onClose: () => void }) {
  const actions = useCurrentActions()
  const groups = Map.groupBy(
    actions.filter(({ keys }) => keys),
    ({ group = 'Everywhere' }) => group,
  )
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} width="wide">
      <div className={css.groups}>
        {[...groups]
          .toSorted(([a], [b]) => placeOf(a) - placeOf(b))
          .map(([group, members]) => (
            <section key={group}>
              <h2>{group}</h2>
              <dl>
                {[...byTitle(members)].map(([title, same]) => (
                  <div key={title}>
                    <dt>{title}</dt>
                    <dd>
                      {same.map(({ keys }, i) => (
                        <Fragment key={keys}>
                          {i > 0 && ' or '}
                          <Keys keys={keys!} />
                        </Fragment>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Dialog>
  )
}
