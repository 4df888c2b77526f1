import { Link } from 'wouter'
import { EmptyState } from '#web/parts/empty-state.tsx'

export function NotFound() {
  return (
    <EmptyState whole icon="search" title="There is nothing at this address">
      <p>
        It may have been typed wrongly, or what was here is gone. <Link href="/">Go home</Link>
      </p>
    </EmptyState>
  )
}
