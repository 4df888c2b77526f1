import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long for their size, most of them because they wait. */
const LONG = [
  'test/web/everywhere',
  'test/web/bulk',
  'test/web/tags',
  'test/web/table',
  'test/web/settings',
  'test/web/sign-in',
  'test/web/import',
  'test/web/description',
  'test/web/focus',
  'test/web/leaving',
  'test/web/shell',
  'test/postgres/webhooks',
  'test/limits-property',
  'test/contract/files-moving',
  'test/first-command',
  'test/contract/moving',
  'test/bounded/bounded-work',
  'test/contract/hostile',
  'test/contract/large-changes',
  'test/engine',
  'test/contract/proposal-limits',
  'test/contract/shutdown',
  'test/large-change-crash',
  'test/bulk-crash',
  'test/contract/s3',
  'test/contract/printed-commands',
  'test/postgres/commands',
  'test/contract/facet-command',
  'test/contract/longest-turn',
  'test/contract/writer-waits',
  'test/contract/query-limits',
  'test/simulation/simulation',
  'src/domain/text-functions',
  'test/contract/bodies',
  'test/contract/start',
  'test/contract/long-items',
  'test/import-crash',
  'test/contract/import-round-trip',
  'test/contract/ended-rights',
  'test/contract/unread-lists',
  'test/differential',
  'test/postgres/long-texts',
  'test/postgres/processes',
  'src/operations/items/bulk-plan',
  'test/contract/memory',
  'test/contract/webhook-targets',
  'test/contract/imports',
  'test/package',
  'test/many-items',
  'test/webhook-crash',
  'test/contract/apps-metadata',
  'test/contract/audit-chain',
  'test/soak',
]

/** The one with the shortest files comes last: all workers end at once. */
const PROJECTS = ['web', 'postgres', 'facet']

/**
 * Begins with what takes long, so that nothing of it is left when everything else is done: also where no run has been
 * timed yet. Project after project, for a worker that goes from one to another loads everything again; the end of one
 * and the beginning of the next are done at once.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at < 0 ? LONG.length : at
    }
    const byRank = (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
    const place = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
    return byRank.toSorted((a, b) => place(a) - place(b))
  }
}
