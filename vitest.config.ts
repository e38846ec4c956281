import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'

// Threads and processes that tests start from source read what others have compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')

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
