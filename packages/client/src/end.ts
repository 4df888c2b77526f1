/** @throws TypeError where it is none, as the controller itself, which ends nothing */
export function checkSignal(signal: AbortSignal | null | undefined): void {
  if (signal != null && !('addEventListener' in Object(signal)))
    throw new TypeError("signal: expected an AbortSignal, such as a controller's `signal`")
}

/** A controller that a signal aborts too, until it is let go. */
export function boundTo(signal: AbortSignal | undefined): {
  controller: AbortController
  release: () => void
} {
  checkSignal(signal)
  const controller = new AbortController()
  const stop = () => controller.abort(signal!.reason)
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
  return { controller, release: () => signal?.removeEventListener('abort', stop) }
}

/** Why a stream ends that nobody reads any more. */
const LEFT = new Error('nobody reads it any more')

/**
 * A stream that `return` ends also while it waits; by itself it would wait for the next event first, which may never
 * come.
 */
export function endable<T>(
  given: AbortSignal | undefined,
  run: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  let leave = () => {}
  const stream = (async function* () {
    const { controller, release } = boundTo(given)
    leave = () => controller.abort(LEFT)
    try {
      yield* run(controller.signal)
    } catch (error) {
      if (error !== LEFT) throw error
    } finally {
      release()
    }
  })()
  const end = stream.return.bind(stream)
  return Object.assign(stream, {
    return: (value: void | PromiseLike<void>) => {
      leave()
      return end(value)
    },
  })
}
