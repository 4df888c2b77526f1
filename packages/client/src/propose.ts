import { call, type CallOptions } from './call.ts'
import type { Connection } from './connection.ts'
import { type Operations, type Proposal, ROUTES } from './operations.ts'
import { wait } from './wait.ts'

type Input = Operations['proposeChanges']['input']

export interface ProposeOptions extends CallOptions, Omit<Input, 'operations'> {}

export interface DecisionOptions extends CallOptions {
  /** Milliseconds between two looks; default 5,000. */
  every?: number | undefined
}

const LOOK = 5000

/** Keeps changes until somebody accepts or refuses them; nothing is changed. @throws FacetError */
export async function propose(
  connection: Connection,
  operations: Input['operations'],
  { signal, ...more }: ProposeOptions = {},
): Promise<Proposal> {
  const input = { operations, ...more }
  return (await call<Proposal>(connection, 'propose', ROUTES.proposeChanges, input, { signal })).data
}

/** Waits until a proposal is not open any more; `state`, `reason` and `made` say what became of it. @throws FacetError */
export async function decision(
  connection: Connection,
  proposal_id: string,
  { signal, every = LOOK }: DecisionOptions = {},
): Promise<Proposal> {
  if (typeof every !== 'number' || !(every >= 0)) throw new TypeError('every: expected a number from 0 on')
  for (;;) {
    const input = { proposal_id, limit: 1 }
    const { data } = await call<Proposal>(connection, 'decision', ROUTES.getProposal, input, { signal })
    if (data.state !== 'open') return data
    await wait(every, signal)
  }
}
