import { useSyncExternalStore } from 'react'
import { currentActions, onActions } from '#web/parts/action.ts'
import { Dialog } from '#web/parts/dialog.tsx'
import { Keys } from '#web/parts/keys.tsx'
import css from '#web/shell/key-map.module.css'

const FIRST = ['Everywhere', 'Go', 'Table']
/** Other groups come after these, in the order in which they were offered. */
const placeOf = (group: string) => (FIRST.indexOf(group) + FIRST.length + 1) % (FIRST.length + 1)

/** All keys that act here. */
export function KeyMap({ onClose }: { onClose: () => void }) {
  const actions = useSyncExternalStore(onActions, currentActions)
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
                {members.map(({ id, title, keys }) => (
                  <div key={id}>
                    <dt>{title}</dt>
                    <dd>
                      <Keys keys={keys!} />
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
