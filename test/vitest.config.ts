import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    typecheck: { enabled: false },
    pool: 'forks',
    testTimeout: 30_000,
  },
})
