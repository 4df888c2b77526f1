import { Link } from 'wouter'
import { EmptyState } from '#web/parts/empty-state.tsx'

/** In place of a file that nothing has any more, or that is not one’s own to read. */
export function NoFilePage() {
  return (
    <EmptyState whole icon="search" title="There is no such file">
      <p>
        What it was in is gone, or is not yours to read. A file that nothing has is removed after a day.{' '}
        <Link href="/">Go home</Link>
      </p>
    </EmptyState>
  )
}
