import { keepPins, usePinned, usePins } from '#web/data/pins.ts'
import { Icon } from '#web/parts/icon.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { useReorder } from '#web/parts/use-reorder.ts'
import { SideLine, SideSection } from '#web/shell/side-lines.tsx'
import css from '#web/shell/side-bar.module.css'

/** What one has pinned, in one's own order, moved by its grip or by Alt ↑ and Alt ↓. */
export function SidePins() {
  const pinned = usePinned()
  const pins = usePins()
  const { dragged, onPointerDown, onKeyDown } = useReorder(pinned, (list) => {
    const shown = list.map(({ key }) => key)
    // What is not seen now may come back.
    keepPins([...shown, ...pins.filter((each) => !shown.includes(each))])
  })
  if (!pinned.length) return null
  return (
    <SideSection title="Pinned">
      {pinned.map(({ key, name, path, kind }) => (
        <SideLine
          key={key}
          href={path}
          data-reorder={key}
          data-dragged={dragged === key || undefined}
          onKeyDown={onKeyDown(key)}
          end={
            pinned.length > 1 && (
              <span className={css.grip} title="Drag, or Alt ↑ and Alt ↓" onPointerDown={onPointerDown(key)}>
                <Icon name="grip" />
              </span>
            )
          }
        >
          {kind === 'tag' ? <TagSign tag={key} /> : <Icon name={kind === 'view' ? 'view' : 'text'} />}
          <span>{name}</span>
        </SideLine>
      ))}
    </SideSection>
  )
}
