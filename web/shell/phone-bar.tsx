import { Link, useLocation } from 'wouter'
import { Icon, type IconName } from '#web/parts/icon.tsx'
import { ROUTES } from '#web/routes.ts'
import css from '#web/shell/phone-bar.module.css'

const PLACES: readonly { path: string; label: string; icon: IconName }[] = [
  { path: '/', label: 'Home', icon: 'home' },
  { path: '/items', label: 'Items', icon: 'items' },
  { path: '/chat', label: 'Assistant', icon: 'sparkle' },
]

/** What is below on a phone, in the place of the side bar. */
export function PhoneBar({ onFind }: { onFind: () => void }) {
  const [path] = useLocation()
  return (
    <nav className={css.bar} aria-label="Places">
      {PLACES.filter((place) => ROUTES.some((route) => route.path === place.path)).map((place) => (
        <Link
          key={place.path}
          href={place.path}
          className={css.place}
          aria-current={path === place.path ? 'page' : undefined}
        >
          <Icon name={place.icon} size={20} />
          {place.label}
        </Link>
      ))}
      <button type="button" className={css.place} onClick={onFind}>
        <Icon name="search" size={20} />
        Find
      </button>
    </nav>
  )
}
