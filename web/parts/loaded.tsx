import { type ComponentType, useEffect, useState } from 'react'

/**
 * A component that is loaded when it is first shown; `Waiting` stands in its place until then. Other than React's `lazy`:
 * a `Suspense` that has shown its fallback keeps what has come back for up to 300 ms after it.
 */
export function loaded<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting?: ComponentType<Props>,
): ComponentType<Props> {
  let found: ComponentType<Props> | undefined
  return function Loaded(props: Props) {
    const [outcome, setOutcome] = useState<{ error: unknown } | 'found'>()
    useEffect(() => {
      if (found) return
      load().then(
        (component) => {
          found = component
          setOutcome('found')
        },
        (error: unknown) => setOutcome({ error }),
      )
    }, [])
    if (typeof outcome === 'object') throw outcome.error
    const Found = found
    if (Found) return <Found {...props} />
    return Waiting ? <Waiting {...props} /> : null
  }
}
