import { useWritesWait } from '#web/api/call.ts'
import { useServiceIsGone } from '#web/api/service-state.ts'
import { useUnsent } from '#web/data/unsent-edits.ts'
import { Icon } from '#web/parts/icon.tsx'
import { useHeldPage } from '#web/parts/use-leave-guard.ts'
import css from '#web/shell/service-gone.module.css'

/** Says once that the service does not answer, as long as that is so. */
export function ServiceGone() {
  const gone = useServiceIsGone()
  const { waiting, isWhole } = useUnsent()
  const isHeld = useWritesWait()
  useHeldPage(isHeld)
  if (!gone) return null
  const words = isHeld
    ? 'What you did last is sent when it is back: keep Facet open until then'
    : isWhole
      ? 'Values that you type are stored in this browser, also when you leave, and sent when it is back'
      : 'More waits than this browser can keep: stay on this page until it is back'
  return (
    <p className={css.gone} role="alert">
      <Icon name="alert" /> The service does not answer. {words}
      {waiting.size > 0 && ` (${waiting.size.toLocaleString()} ${waiting.size === 1 ? 'waits' : 'wait'})`}.
    </p>
  )
}
