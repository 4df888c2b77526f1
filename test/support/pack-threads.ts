import { keptThreads } from '#test/support/kept-threads.ts'
import { packForThreads } from '#test/support/packed-threads.ts'

/** Before the tests of a project: else each of its processes would pack for itself. */
export default async function packThreads(): Promise<void> {
  await packForThreads()
  await keptThreads()
}
