import { setPriority } from 'node:os'
import { type Harm, doHarm, HARMS } from '#test/soak/hostile.ts'
import { registerClients } from '#test/soak/register-clients.ts'

// The hostile clients in a process of their own, started by `soak`: what it costs to attack is not to slow down those
// by whom it is measured. It says how often each harm was done.

/** They stand for other machines: theirs is not the processor for which the service and the honest ones are waiting. */
const PRIORITY = 19

export interface Attack {
  url: string
  /** Names of HARMS. */
  harms: string[]
  milliseconds: number
}
export type Done = Record<string, number>

setPriority(PRIORITY)
process.once('message', (attack: Attack) => void run(attack))

async function run({ url, harms, milliseconds }: Attack): Promise<void> {
  const clients = await registerClients(url, 'hostile', harms.length)
  const over = new Promise((resume) => setTimeout(resume, milliseconds))
  const counts = await Promise.all(harms.map((name, i) => doHarm(clients[i]!, HARMS[name] as Harm, over)))
  process.send!(Object.fromEntries(harms.map((name, i) => [name, counts[i]!])) satisfies Done, () =>
    process.exit(),
  )
}
