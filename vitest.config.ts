import { defineConfig } from 'vitest/config'

/** What these test has nothing to do with the database. */
const ENGINE_FREE = ['config', 'cors', 'cross-site', 'errors', 'https', 'memory', 'openapi', 'shutdown'].map(
  (name) => `test/contract/${name}.test.ts`,
)

export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    reporters: ['default', './test/support/plain-summary.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'facet',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/postgres/**', 'test/failover/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/contract/**/*.test.ts', 'test/postgres/**/*.test.ts', 'test/differential.test.ts'],
          exclude: ENGINE_FREE,
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: ['test/support/postgres-for-tests.ts'],
        },
      },
    ],
  },
})
