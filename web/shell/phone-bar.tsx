import { Link, useLocation } from 'wouter'
import { useMayWrite } from '#web/data/may-write.ts'
import { runKey } from '#web/parts/action.ts'
import { Icon, type IconName } from '#web/parts/icon.tsx'
import { ROUTES } from '#web/routes.ts'
import { Bell } from '#web/shell/bell.tsx'
import css from '#web/shell/phone-bar.module.css'

const PLACES: readonly { path: string; label: string; icon: IconName }[] = [
  { path: '/', label: 'Home', icon: 'home' },
  { path: '/chat', label: 'Assistant', icon: 'sparkle' },
]

/** What is below on a phone, in the place of the side bar. */
export function PhoneBar({ onFind }: { onFind: () => void }) {
  const [path] = useLocation()
  const mayWrite = useMayWrite()
  const places = PLACES.filter((place) => ROUTES.some((route) => route.path === place.path)).map((place) => (
    <Link
      key={place.path}
      href={place.path}
      className={css.place}
      aria-current={
        path === place.path || (place.path !== '/' && path.startsWith(`${place.path}/`)) ? 'page' : undefined
      }
    >
      <Icon name={place.icon} size={20} />
      {place.label}
    </Link>
  ))
  return (
    <nav className={css.bar} aria-label="Places">
      {places[0]}
      <button type="button" className={css.place} onClick={onFind}>
        <Icon name="search" size={20} />
        Find
      </button>
      {mayWrite && (
        <button type="button" className={css.place} onClick={() => runKey('c')}>
          <Icon name="plus" size={20} />
          New
        </button>
      )}
      <Bell labelled className={css.place} />
      {places.slice(1)}
    </nav>
  )
}
