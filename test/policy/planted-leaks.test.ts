// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InvariantError, SluiceError, seededRandom, present } from '../../src/base/index.ts'
import { labelScopes, scopeEndpoints } from '../../src/cli/scope-ways.ts'
import {
  checkCase,
  checkMetricCase,
  drawMetricCase,
  drawQuestion,
  makeBlock,
  makeMetricBlock,
  pairOf,
  rowKinds,
  usualShares,
  type ScopeBlock,
  type GuardFor,
} from '../../src/fuzz/scope/index.ts'
import { verifyScope } from '../../src/policy/index.ts'
import { planLeak, plantCache, plantedLeaks, type PlantedLeak } from './planted-leaks.ts'

const MAX_CASES = 1500
/** For each leak, the number of cases after which the check found it. */
const found = new Map<string, string>()
const blocks = new Map<string, ScopeBlock>()

function blockOf(kind: string): ScopeBlock {
  const block = blocks.get(kind)
  if (block === undefined) throw new Error(`no block of ${kind}`)
  return block
}

beforeAll(async () => {
  for (const kind of rowKinds) blocks.set(kind.name, await makeBlock(7, kind))
})

afterAll(async () => {
  for (const block of blocks.values()) await block.close()
  console.log([...found].map(([place, cases]) => `${place.padEnd(20)} ${cases}`).join('\n'))
})

/** Returns the first seed whose case shows a leak. */
async function firstSeed(
  leakOf: (seed: number) => Promise<string | undefined>,
  most = MAX_CASES,
): Promise<number | undefined> {
  for (let seed = 1; seed <= most; seed++) if ((await leakOf(seed)) !== undefined) return seed
  return undefined
}

/**
 * Returns the number of cases that the fuzzer's own check needs to show the leak; `undefined` if it does not find it.
 */
function casesUntilFound({ kind, plant }: PlantedLeak, most = MAX_CASES): Promise<number | undefined> {
  const block = blockOf(kind)
  const planted = block.callers.map((caller) => plant(block, caller, scopeEndpoints))
  return firstSeed(async (seed) => {
    const random = seededRandom(seed)
    const { block: leaky, pair, endpoints, served } = present(planted[seed & 1])
    const question = drawQuestion(random, leaky)
    const caller = present(leaky.callers[seed & 1])
    const { leak } = await checkCase(leaky, caller, pair, question, random, { ...usualShares, endpoints, served })
    return leak
  }, most)
}

describe('a leak planted in one place is found', () => {
  test.each(plantedLeaks)('$place', async (leak) => {
    const cases = await casesUntilFound(leak)
    found.set(leak.place, `found after ${cases} cases`)
    expect(cases).toBeDefined()
  })

  test.each(['answer', 'series', 'analyze'])('metric selectors: %s', async (place) => {
    let cases = 0
    let leak: string | undefined
    for (let at = 1; leak === undefined && cases < MAX_CASES; at++) {
      const block = await makeMetricBlock(at, labelScopes)
      for (let seed = 1; leak === undefined && seed <= 60; seed++) {
        cases++
        const forget: GuardFor = (guard, what) => (what === place ? undefined : guard)
        const random = seededRandom(at * 1000 + seed)
        leak = (await checkMetricCase(block, seed & 1, drawMetricCase(random), random, forget)).leak
      }
      block.close()
    }
    found.set(`metrics, ${place}`, `found after ${cases} cases`)
    expect(leak).toContain(place)
  })
})

describe('where nothing is forgotten nothing is found', () => {
  const controls: readonly PlantedLeak[] = [
    planLeak('no guard', (plan) => plan),
    { place: 'a cache by guards too', kind: 'logs', plant: (...given) => plantCache(...given, (plan) => plan) },
  ]
  test.each(controls)('$place', async (control) => {
    expect(await casesUntilFound(control, 120)).toBeUndefined()
  })
})

describe('the proof refuses a plan that lost a guard', () => {
  const inPlans = plantedLeaks.filter(({ forget }) => forget !== undefined)
  test.each(inPlans)('$place', async ({ kind, forget }) => {
    const block = blockOf(kind)
    const [caller] = block.callers
    const { scoped } = pairOf(block, caller)
    let refused = 0
    for (let seed = 1; refused < 2; seed++) {
      const question = drawQuestion(seededRandom(seed), block)
      try {
        const compiled = scoped.compile(question.plan(), question)
        const optimized = forget?.(compiled.optimized, question) ?? compiled.optimized
        if (JSON.stringify(optimized, plain) === JSON.stringify(compiled.optimized, plain)) continue
        expect(() => verifyScope(optimized, caller.scope)).toThrow(InvariantError)
        const run = scoped.run({ ...compiled, optimized }, question, 'columnar', undefined)
        await expect(run.toArray()).rejects.toThrow(InvariantError)
        refused++
      } catch (error) {
        if (!(error instanceof SluiceError)) throw error
      }
    }
    expect(refused).toBe(2)
  })
})

function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
