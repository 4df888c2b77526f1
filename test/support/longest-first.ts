import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long for their size, most of them because they wait. */
const LONG = [
  'test/postgres/webhooks',
  'test/contract/hostile',
  'test/differential',
  'test/large-change-crash',
  'test/engine',
  'test/contract/moving',
  'test/postgres/commands',
  'test/contract/shutdown',
  'test/bounded/bounded-work',
  'test/many-items',
  'test/contract/memory',
  'test/webhook-crash',
  'test/contract/webhook-targets',
  'test/contract/apps-metadata',
  'test/postgres/processes',
  'test/contract/query-limits',
  'test/contract/large-changes',
  'test/bulk-crash',
  'test/contract/facet-command',
  'test/package',
  'test/contract/audit-chain',
  'src/operations/items/bulk-plan',
  'test/soak',
]

/** Begins with what takes long, so that nothing of it is left when everything else is done: also where no run has been timed yet. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at < 0 ? LONG.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
