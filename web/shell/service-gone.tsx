import { useSyncExternalStore } from 'react'
import { onServiceState, serviceIsGone } from '#web/api/service-state.ts'
import { Icon } from '#web/parts/icon.tsx'
import css from '#web/shell/service-gone.module.css'

/** Says once that the service does not answer, as long as that is so. */
export function ServiceGone() {
  const gone = useSyncExternalStore(onServiceState, serviceIsGone)
  if (!gone) return null
  return (
    <p className={css.gone} role="alert">
      <Icon name="alert" /> The service does not answer. What you do is kept and sent when it is back.
    </p>
  )
}
