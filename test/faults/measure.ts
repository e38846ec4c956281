import { readFileSync } from 'node:fs'
import {
  applyFix,
  isError,
  present,
  seededRandom,
  spanOf,
  type Diagnostic,
  type Fix,
  type Random,
} from '../../src/base/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { canon, parse } from '../../src/lang/log/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { tokens, type Fault } from '../../src/fuzz/fixes/index.ts'
import { kinds } from '../../src/fuzz/fixes/index.ts'

export interface Outcome {
  readonly fault: Fault
  /** The first error that the engine reports for the mistake. */
  readonly diagnostic: Diagnostic
  /** True if the reported span begins or ends at most one token from the mistake and covers little else. */
  readonly isNear: boolean
  /** True if the first fix restores the intended query. */
  readonly isMended: boolean
}

export interface Rates {
  readonly count: number
  readonly near: number
  readonly mended: number
}

/** Returns the queries that the parser accepts, each split into its filter and its stages. */
function corpus(): readonly (readonly string[])[] {
  const text = readFileSync(new URL('../../grammar/corpus/log.txt', import.meta.url), 'utf8')
  const sections = text.split(/^== /m).slice(1)
  const accepted = sections.filter((section) => /^accepted by (both dialects|the native dialect)\n/.test(section))
  return accepted.flatMap((section) =>
    section
      .split('\n')
      .slice(1)
      .filter((line) => line.trim() !== '' && !line.startsWith('#') && !line.includes('#'))
      .map(stagesOf),
  )
}

function stagesOf(query: string): readonly string[] {
  let depth = 0
  let start = 0
  const stages: string[] = []
  for (const { text, type, span } of tokens(query)) {
    if (/^[([{]$/.test(text)) depth++
    if (/^[)\]}]$/.test(text)) depth--
    if (type !== 'Bar' || depth > 0) continue
    stages.push(query.slice(start, span.start).trim())
    start = span.end
  }
  return [...stages, query.slice(start).trim()]
}

/** Returns a query with the filters of one or two queries and the stages of another. */
function compose(queries: readonly (readonly string[])[], random: Random): string {
  const [filter] = random.pick(queries)
  const second = random.below(3) === 0 ? random.pick(queries)[0] : '*'
  const joined = second === '*' || filter === '*' ? filter : `(${filter}) ${random.pick(['and', 'or', ''])} (${second})`
  const stages = random.pick(queries.filter(({ length }) => length > 1)).slice(1)
  return [present(joined).replace('  ', ' '), ...stages].join(' | ')
}

/** Returns the number of tokens between an offset and the nearest of some positions. */
function distance(text: string, offset: number, places: readonly number[]): number {
  const all = tokens(text)
  const indexAt = (at: number): number => {
    const index = all.findIndex(({ span }) => at < span.end)
    return index === -1 ? all.length : index
  }
  return Math.min(...places.map((place) => Math.abs(indexAt(place) - indexAt(offset))))
}

const MAX_MARKED = 5

function isNear(fault: Fault, diagnostic: Diagnostic): boolean {
  const span = spanOf(diagnostic.origin)
  if (span === undefined) return false
  const marked = tokens(fault.text).filter((token) => token.span.start < span.end && span.start < token.span.end)
  if (marked.length > MAX_MARKED) return false
  const ends = [span.start, Math.max(span.start, span.end - 1)]
  return ends.some((offset) => distance(fault.text, offset, fault.offsets) <= 1)
}

function isMended({ text, original }: Fault, fixes: readonly Fix[]): boolean {
  if (fixes.length === 0) return false
  const functionNames = standardFunctions.stats.names()
  const { ast, diagnostics } = parse(applyFix(text, present(fixes[0])), { functionNames })
  return !diagnostics.some(isError) && canon(ast) === canon(parse(original, { functionNames }).ast)
}

const MAX_TRIES = 2000

/** Makes `perKind` mistakes of each kind and evaluates the engine's messages. The mistakes depend only on the seed. */
export function measure(seed: number, perKind: number): readonly Outcome[] {
  const queries = corpus()
  const engine: Engine = createEngine({
    backends: [columnarBackend(createMemoryStore(standardCatalog), standardFunctions)],
    lint: 'off',
  })
  const errorOf = (text: string): Diagnostic | undefined => engine.check(text, { nowNs: 0n }).find(isError)
  const outcomes: Outcome[] = []
  let kindSeed = seed
  for (const [kind, make] of kinds) {
    const random = seededRandom(kindSeed++)
    let made = 0
    for (let tries = 0; made < perKind; tries++) {
      if (tries > perKind * MAX_TRIES) throw new Error(`no place for a mistake of the kind ${kind}`)
      const drawn = make(compose(queries, random), random)
      // Skip mistakes that still give a valid query, and queries that were rejected without a mistake.
      const diagnostic = drawn && errorOf(drawn.text)
      if (drawn === undefined || diagnostic === undefined || errorOf(drawn.original) !== undefined) continue
      const fault: Fault = { kind, ...drawn }
      outcomes.push({
        fault,
        diagnostic,
        isNear: isNear(fault, diagnostic),
        isMended: isMended(fault, diagnostic.fixes),
      })
      made++
    }
  }
  return outcomes
}

export function ratesOf(outcomes: readonly Outcome[]): Rates {
  const part = (holds: (outcome: Outcome) => boolean): number => outcomes.filter(holds).length / outcomes.length
  return {
    count: outcomes.length,
    near: part((each) => each.isNear),
    mended: part((each) => each.isMended),
  }
}
