import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { writeToMemory } from './test/support/memory-folder.ts'
import { packedThreads } from './test/support/packed-threads.ts'
import { TEST_ALL } from './test/support/runs.ts'

// As under `npm start`: each of a service's threads is up in two thirds of the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url))

writeToMemory()

/**
 * What can differ from engine to engine: statements that the two compile, lock or order in their own way. `npm test`
 * puts the rest of the contract to SQLite alone; `npm run test:all`, to both. A file may leave the list where
 * others put its statements to PostgreSQL, but for combinations of conditions, which `differential` makes at random.
 */
const ENGINES_DIFFER = [
  'aggregate',
  'aggregate-growth',
  'any-search',
  'as-of',
  'audit',
  'audit-chain',
  'backlinks',
  'change-stream',
  'changes',
  'counting',
  'failing-start',
  'field-types',
  'filter-additions',
  'filters',
  'guarded-tables',
  'imports',
  'item-selection',
  'large-changes',
  'limits',
  'live',
  'moving',
  'notifications',
  'outdated-values',
  'proposals',
  'reader',
  'relevance',
  'rename-chains',
  'search',
  'search-paging',
  'search-text',
  'security-chain',
  'streaming',
  'tag-evolution',
  'tag-extension',
  'tag-lifecycle',
  'tag-schema-change',
  'tags',
  'trash',
  'two-at-once',
  'upgrade',
  'views',
  'webhooks',
  'wide-filters',
  'writer-waits',
].map(inContract)

const WHOLE = [
  'test/contract/**/*.test.ts',
  'test/bounded/bounded-work.test.ts',
  'test/large-change-crash.test.ts',
]

/** Has nothing to do with the database: on one engine in `npm run test:all` too. */
const ENGINE_FREE = [
  'access',
  'apps-metadata',
  'apps-official-client',
  'chat-without-provider',
  'compression',
  'config',
  'cors',
  'cross-site',
  'errors',
  'how-to-agents',
  'how-to-keys',
  'https',
  'log',
  'mcp',
  'mcp-conformance',
  'memory',
  'oauth-refusals',
  'openapi',
  'printed-commands',
  'rate-limit',
  'shutdown',
  'start',
  'tag-types',
  'three-interfaces',
  'unread-lists',
  'version',
  'webhook-targets',
  'who-may',
].map(inContract)

function inContract(name: string): string {
  return `test/contract/${name}.test.ts`
}

export default defineConfig({
  plugins: [packedThreads()],
  test: {
    environment: 'node',
    // Five times what the slowest takes on two quiet cores: a busy machine is slow, and not at fault.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // MiB for what has just been made, of each thread: collected less often, a twentieth of the computing less.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
    // Loading our modules again for each file took a quarter of the time. No test changes what others load.
    isolate: false,
    // Tests wait for a third of their time.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/plain-summary.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'facet',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/postgres/**', 'test/failover/**', 'test/web/**'],
          globalSetup: ['test/support/pack-threads.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['test/web/**/*.test.ts'],
          globalSetup: ['test/support/pack-threads.ts', 'test/web/support/shared-chromium.ts'],
          // What a flow waits for comes over a browser and a service: it is as patient as the page's own waits.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [
            ...(TEST_ALL ? WHOLE : ENGINES_DIFFER),
            'test/postgres/**/*.test.ts',
            'test/golden/**/*.test.ts',
            'test/any-words.test.ts',
            'test/columns.test.ts',
            'test/as-of.test.ts',
            'test/differential.test.ts',
            'test/limits-property.test.ts',
            'test/live-property.test.ts',
            'test/proposals-property.test.ts',
            'test/undo-property.test.ts',
          ],
          exclude: ENGINE_FREE,
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: ['test/support/pack-threads.ts', 'test/support/postgres-for-tests.ts'],
        },
      },
    ],
  },
})
