import { type ComponentType, useEffect, useState } from 'react'
import { NotLoadedHere, NotLoadedOver, type NotLoadedProps } from '#web/parts/not-loaded.tsx'

/**
 * A component that is loaded when it is first shown; `Waiting` stands in its place until then, and `NotLoaded` where it
 * does not come. Other than React's `lazy`: a `Suspense` that has shown its fallback keeps what has come back for up to
 * 300 ms after it.
 */
export function loaded<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting?: ComponentType<Props>,
  NotLoaded: ComponentType<Props & NotLoadedProps> = NotLoadedHere,
): ComponentType<Props> {
  let found: ComponentType<Props> | undefined
  return function Loaded(props: Props) {
    const [outcome, setOutcome] = useState<'failed' | 'found'>()
    const get = () =>
      load().then(
        (component) => {
          found = component
          setOutcome('found')
          return true
        },
        () => {
          setOutcome('failed')
          return false
        },
      )
    useEffect(() => {
      if (!found) void get()
    }, [])
    const Found = found
    if (Found) return <Found {...props} />
    if (outcome === 'failed') return <NotLoaded {...props} again={get} />
    return Waiting ? <Waiting {...props} /> : null
  }
}

/** The same for what lies over the page or beside it: where it does not come, it is closed. */
export const loadedOver = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting?: ComponentType<Props>,
): ComponentType<Props> => loaded(load, Waiting, NotLoadedOver)
