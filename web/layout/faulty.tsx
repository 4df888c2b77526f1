import { useFaultWords } from '#web/data/gone-tag.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'

/** What a layout could not read, and the way out. */
export function Faulty({ title, error, onAgain }: { title: string; error: Error; onAgain: () => void }) {
  const [words] = useFaultWords([error])
  return (
    <div role="alert">
      <EmptyState icon="alert" title={title}>
        <p>{words}</p>
        <Button onClick={onAgain}>Try again</Button>
      </EmptyState>
    </div>
  )
}
