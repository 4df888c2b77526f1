import { useEffect, useEffectEvent } from 'react'
import { serviceAnswers, serviceBack } from '#web/api/service-state.ts'
import { sessionState } from '#web/api/session-state.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { toast } from '#web/parts/toast.tsx'
import { saveEverything } from '#web/parts/unsaved.ts'

export interface NotLoadedProps {
  /** Tries once more; false where that has failed too. */
  again: () => Promise<boolean>
}

/**
 * Tries once more, when the service answers. Browsers keep that a part has failed, and a service that was renewed has
 * others, so after that it loads the whole page: what can be saved is saved first, and for the rest the browser asks.
 */
async function loadAgain(again: () => Promise<boolean>): Promise<void> {
  if (!(await serviceAnswers())) await serviceBack()
  if (await again()) return
  // A save would wait for the sign-in, which may be what has not loaded.
  if (sessionState() !== 'ended') await saveEverything()
  location.reload()
}

/** In the place of a part, so that the rest of the page stays as it is. */
export function NotLoadedHere({ again }: NotLoadedProps) {
  return (
    <div role="alert">
      <EmptyState icon="alert" title="This part could not be loaded">
        <p>The connection broke, or Facet was renewed. What you have typed stays.</p>
        <Button onClick={() => void loadAgain(again)}>Load again</Button>
      </EmptyState>
    </div>
  )
}

/** For what lies over the page or beside it: it is closed, and said at the edge. */
export function NotLoadedOver({
  again,
  ...rest
}: NotLoadedProps & { onClose?: unknown; onCancel?: unknown }) {
  const close = useEffectEvent(() => {
    const end = rest.onClose ?? rest.onCancel
    if (typeof end !== 'function') return sayNotLoaded(again)
    // Closed it would not be seen when it comes.
    sayNotLoaded()
    ;(end as () => void)()
  })
  useEffect(() => close(), [])
  return null
}

/** What could not be loaded when it was asked for. */
export function sayNotLoaded(again: () => Promise<boolean> = async () => false): void {
  toast({
    text: 'This part could not be loaded: the connection broke, or Facet was renewed.',
    kind: 'danger',
    action: { label: 'Load again', run: () => void loadAgain(again) },
  })
}
