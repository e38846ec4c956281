import { always, seededRandom, type Random } from '../../base/index.ts'
import type { Backend } from '../../backends/index.ts'
import type { StoredRow } from '../../data/index.ts'
import { fuzzData } from '../dataset.ts'
import { queryText } from '../log-query.ts'
import { defineFuzzer, type Fuzzer, type Ground } from '../runner/fuzzer.ts'
import { compileFor, firstDifference, outcomeOf, type RunOptions } from '../scope/outcome.ts'
import { drawScopes, type PolicyJson } from '../scope/policies.ts'
import type { ScopeQuestion } from '../scope/questions.ts'
import { BATCH_ROWS } from '../scope/subject.ts'
import type { View } from '../scope/view.ts'
import { passing } from '../scope/visible.ts'
import {
  TABLE,
  drawQuestion,
  optionsOf,
  planOf,
  read,
  scopeOf,
  sharedTestbed,
  shown,
  smaller,
  tableNames,
  worldOf,
  write,
  type ForeignCase,
  type World,
} from './fuzzer.ts'
import type { OpenTestbed, Testbed } from './testbed.ts'

/** A table with all rows, and a table with only the visible rows. */
interface Pair {
  readonly policies: readonly PolicyJson[]
  readonly whole: World
  readonly visible: World
}

interface Compared {
  readonly leak: string | undefined
  readonly isRefused: boolean
  readonly isMixed: boolean
}

const DRAWS = 40
/** Number of attempts after which a policy may also hide no row or all rows. */
const ANY_DRAWS = 20

function viewOf(world: World, policies: readonly PolicyJson[]): View {
  const scope = scopeOf(policies, world.catalog)
  return {
    compile: (plan, { range, dialect, nowNs }) => world.engine.compilePlan(plan, { range, dialect, nowNs, scope }),
    run: (compiled, { range, dialect, nowNs }, _, limits) =>
      world.engine.queryCompiled(compiled, { range, dialect, nowNs, scope, limits }),
  }
}

async function visibleIn(
  { catalog, definition, seen }: World,
  policies: readonly PolicyJson[],
): Promise<readonly boolean[]> {
  return passing(scopeOf(policies, catalog)?.(TABLE), definition, seen)
}

/** True if the database can evaluate the policies itself, so that its statements contain them. */
function isTestable({ engine, backend, catalog }: World, policies: readonly PolicyJson[]): boolean {
  const { optimized } = engine.plan('*', { scope: scopeOf(policies, catalog), range: always, nowNs: 0n })
  return backend.accept(optimized).kind === 'whole'
}

/** Draws policies that the database can evaluate and that hide some rows; `undefined` when none was found. */
async function drawPolicies(random: Random, whole: World): Promise<readonly PolicyJson[] | undefined> {
  for (let draw = 0; draw < DRAWS; draw++) {
    const policies = drawScopes(random, whole.seen, 'logs')
    if (scopeOf(policies, whole.catalog) === undefined || !isTestable(whole, policies)) continue
    const shows = await visibleIn(whole, policies)
    const hidden = shows.filter((isIn) => !isIn).length
    if (draw >= ANY_DRAWS || (hidden >= 0.1 * shows.length && hidden <= 0.9 * shows.length)) return policies
  }
  return undefined
}

function questionOf(given: ForeignCase, { engine }: World): ScopeQuestion {
  const { question } = given
  const isBody = 'body' in question
  const { nowNs = 0n, dialect = 'native' } = optionsOf(given, undefined)
  return {
    shown: isBody ? JSON.stringify(question.body) : queryText(question.query),
    isBody,
    dialect,
    range: always,
    nowNs,
    uses: new Set(),
    plan: () => planOf(given, engine, optionsOf(given, undefined)),
  }
}

async function compared(given: ForeignCase, { whole, visible }: Pair, seed: number): Promise<Compared> {
  const random = seededRandom(seed ^ 0x5c0be)
  const question = questionOf(given, whole)
  const [scoped, plain] = [viewOf(whole, given.policies), viewOf(visible, [])]
  const [compiled, reference] = [compileFor(scoped, question), compileFor(plain, question)]
  const hidden = whole.seen.length - visible.seen.length
  const isMixed = hidden > 0 && visible.seen.length > 0
  if (!('plan' in compiled) || !('plan' in reference)) {
    const isSame = compiled.description === reference.description
    const leak = isSame
      ? undefined
      : `told ${compiled.description} under the scope, ${reference.description} over what it shows`
    return { leak, isRefused: true, isMixed }
  }
  const explains = random.next() < 0.25
  const settings: RunOptions = {
    backend: 'sqlite',
    isScoped: true,
    explainsBefore: explains,
    explainsAfter: explains,
    limits: undefined,
  }
  const shownOutcome = await outcomeOf(scoped, compiled, question, settings)
  const wanted = await outcomeOf(plain, reference, question, { ...settings, isScoped: false })
  const isRefused = shownOutcome.refusal !== ''
  // A plan that the database cannot run under a guard fails whatever rows the guard hides, so the error reveals
  // nothing.
  if (shownOutcome.refusal.includes('"engine/unsupported-node"')) return { leak: undefined, isRefused, isMixed }
  return { leak: firstDifference(shownOutcome, wanted), isRefused, isMixed }
}

async function pairOf(
  { rows, layout, policies }: Pick<ForeignCase, 'rows' | 'layout' | 'policies'>,
  whole: World,
  name: string,
  testbed: Testbed,
  open: OpenTestbed,
): Promise<Pair> {
  const shows = await visibleIn(whole, policies)
  const isIn = (row: number): boolean => shows[row] === true
  const visible = await worldOf(rows, layout, `${name} seen`, testbed, open, { isIn, batchRows: BATCH_ROWS })
  return { policies, whole, visible }
}

/**
 * Fuzzer of policies over another database. Questions under policies must give the same answers, errors, explanations
 * and statistics as questions without policies over a table of only the visible rows. `plant` inserts a bug into the
 * writing of statements.
 */
export function foreignScopeFuzzer(testbed: Testbed, plant?: (backend: Backend) => Backend): Fuzzer {
  const { open, missing, end } = sharedTestbed(testbed)
  const wholeOf = async (rows: readonly StoredRow[], layout: number, name: string): Promise<World> =>
    worldOf(rows, layout, name, testbed, await open(), {
      batchRows: BATCH_ROWS,
      ...(plant === undefined ? {} : { plant }),
    })
  const over = (pair: Pair): Ground<ForeignCase, Compared> => ({
    prepare: (given, seed) => compared(given, pair, seed),
  })
  return defineFuzzer<ForeignCase, Compared>({
    name: `${testbed.name}-scope`,
    group: 'foreign-scope',
    casesPerBlock: 100,
    laws: [{ law: { name: 'scope-never-leaks-there', check: ({ leak }) => leak }, share: 1 }],
    missing,
    end,
    block: async (block, { minRows }) => {
      const random = seededRandom(block ^ 0x5c0f0)
      for (let layout = block * 16; ; layout++) {
        const { rows } = fuzzData(seededRandom(layout ^ 0xf04e16), minRows)
        const whole = await wholeOf(rows, layout, tableNames.block)
        const policies = await drawPolicies(random, whole)
        if (policies === undefined) continue
        const pair = await pairOf({ rows, layout, policies }, whole, tableNames.block, testbed, await open())
        return {
          ...over(pair),
          draw: (each) => {
            const { question, uses } = drawQuestion(each)
            return { given: { question, rows, layout, policies }, uses }
          },
        }
      }
    },
    ground: async (given) => {
      const whole = await wholeOf(given.rows, given.layout, tableNames.alone)
      return over(await pairOf(given, whole, tableNames.alone, testbed, await open()))
    },
    show: shown,
    // Without policies nothing is hidden, so the case would test nothing. Therefore policies are not removed.
    smaller: function* (given) {
      for (const each of smaller(given)) if (each.policies.length > 0) yield each
    },
    notes: ({ isRefused, isMixed }) => [
      ...(isRefused ? ['refused'] : []),
      ...(isMixed ? ['some rows hidden and some not'] : []),
    ],
    write,
    read,
  })
}
