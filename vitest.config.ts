import { readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { PATIENCE_MS } from './test/harness/patience.ts'

const SLOW = '// @module-tag slow'

function isSlow({ moduleId }: TestSpecification): boolean {
  return readFileSync(moduleId, 'utf8').startsWith(SLOW)
}

/** Slow files first: a clean checkout knows no times, and the other workers have nothing to do while the last file runs. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

// Threads and processes that tests start from source read what others have compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/temporary.ts'],
    setupFiles: ['test/setup.ts'],
    // A file of seconds (random comparisons, processes, waits) starts so; `npm test` leaves it out.
    tags: [{ name: 'slow' }],
    typecheck: { enabled: false },
    pool: 'forks',
    // A worker reads the sources once, not once a file: test/setup.ts looks that no file leaves anything behind.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    maxWorkers: availableParallelism(),
    // Only a hang takes so long, however busy the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
})
