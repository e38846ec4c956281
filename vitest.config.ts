import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    typecheck: { enabled: false },
    pool: 'forks',
    testTimeout: 30_000,
  },
})
