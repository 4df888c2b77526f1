/** A state of the program from before that had bases of another kind, by the commit that it ended with. */
export interface Epoch {
  commit: string
  /** What a base of then has not yet. */
  before: string
}

/** Named in CHANGELOG.md too: each is upgraded in place by `upgrade.test.ts`. */
export const EPOCHS: readonly Epoch[] = [
  { commit: 'c9ec1014', before: 'roles, changes and the chain of the log' },
  { commit: 'd9b691b4', before: 'what large changes enter later' },
  { commit: 'c45da6ff', before: '0.2.0' },
  { commit: '67f80f32', before: 'filters of views that are followed' },
]
