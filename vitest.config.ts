import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // A file of seconds (random comparisons, processes, waits) starts with `// @module-tag slow`; `npm run test:fast` leaves it out.
    tags: [{ name: 'slow' }],
    typecheck: { enabled: false },
    pool: 'forks',
    // A worker reads the sources once, not once a file: test/setup.ts looks that no file leaves anything behind.
    isolate: false,
    maxWorkers: availableParallelism(),
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
