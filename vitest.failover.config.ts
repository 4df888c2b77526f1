import { defineConfig } from 'vitest/config'

/** Starts clusters of its own and kills them: `npm run test:failover`, not part of `npm test`. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/failover/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
    reporters: ['default', './test/support/plain-summary.ts'],
  },
})
