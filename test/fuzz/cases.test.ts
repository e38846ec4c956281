// @module-tag slow
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scopeWays } from '../../src/cli/scope-ways.ts'
import { shapeWays } from '../../src/cli/shape-ways.ts'
import { fuzzersOf, type KeptCase } from '../../src/fuzz/runner/index.ts'

const folder = join(import.meta.dirname, 'cases')
const fuzzers = new Map(fuzzersOf(scopeWays, shapeWays).map((fuzzer) => [fuzzer.name, fuzzer]))

/**
 * Replays every stored case that once broke a law or shows how a law could break. `npm run fuzz -- --keep
 * test/fuzz/cases` adds cases.
 */
test.for(readdirSync(folder))('%s', async (file, { skip }) => {
  const kept = JSON.parse(readFileSync(join(folder, file), 'utf8')) as KeptCase
  const fuzzer = fuzzers.get(kept.fuzzer)
  const missing = await fuzzer?.missing()
  skip(missing !== undefined, `${kept.fuzzer} ${missing}`)
  expect(fuzzer?.laws ?? []).toContain(kept.law)
  expect(await fuzzer?.replay(kept)).toBeUndefined()
})
