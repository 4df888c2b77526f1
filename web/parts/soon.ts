/** What gathers: it is run once, some milliseconds after it was first asked for. */
export function soon(run: () => void, milliseconds: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      run()
    }, milliseconds)
  }
}
