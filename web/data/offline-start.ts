import { Slot } from '#web/store.ts'

const WORKER = '/offline.js'

interface Trusted {
  trustedTypes?: {
    createPolicy: (
      name: string,
      rules: { createScriptURL: () => string },
    ) => { createScriptURL: (url: string) => string }
  }
}

const address = new Slot<string | null>('worker_address', 'page', () => null)

/** A policy may be made once; it lets this one address through. */
function workerAddress(): string {
  const { trustedTypes } = globalThis as Trusted
  const made =
    address.get() ??
    trustedTypes?.createPolicy('facet-worker', { createScriptURL: () => WORKER }).createScriptURL(WORKER) ??
    WORKER
  address.set(made)
  return made
}

// Absent where the page did not come by https.
const workers = (): ServiceWorkerContainer | undefined =>
  (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker

/** Where it is installed it begins with a page of its own while the service does not answer; in a tab browsers say so. */
export function keepOfflineStart(): void {
  if (!matchMedia('(display-mode: standalone)').matches) return
  void workers()
    ?.register(workerAddress())
    .catch(() => undefined) // then it begins as in a tab
}

/** Nothing is stored for anyone who signs out. */
export async function dropOfflineStart(): Promise<void> {
  for (const each of (await workers()?.getRegistrations()) ?? []) await each.unregister()
  if (!('caches' in globalThis)) return
  for (const name of await caches.keys()) await caches.delete(name)
}
