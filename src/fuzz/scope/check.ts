import { MAX_NS, SluiceError, type Random } from '../../base/index.ts'
import type { EngineLimits } from '../../engine/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { subqueries, visit, type LogicalPlan } from '../../plan/index.ts'
import { viewOf, type View } from './view.ts'
import type { ScopeBlock, ScopeCaller } from './block.ts'
import { writeFilter } from '../filters.ts'
import { storedFields, Writer } from '../writer.ts'
import { drawRequest, type ScopeEndpoint } from './endpoint.ts'
import { renamed } from './kinds.ts'
import { answerText, compileFor, firstDifference, outcomeOf, type RunOptions, type Compiled } from './outcome.ts'
import type { ScopeQuestion } from './questions.ts'
import { drawHttpRequest, type ServedPairs } from './served.ts'
import { scopeBackends, type ScopeBackend } from './subject.ts'

/** Both sides of a comparison: engines with all rows and a scope, and engines with only the visible rows. */
export interface Pair {
  readonly scoped: View
  readonly plain: View
}

export function pairOf({ whole }: ScopeBlock, { scope, visible }: ScopeCaller): Pair {
  return { scoped: viewOf(whole, scope), plain: viewOf(visible, undefined) }
}

/** Number of rows that the scans of a query read, and how many of them the policy hides. */
export interface Touched {
  rows: number
  hidden: number
}

export interface CaseReport {
  /** Description of how a hidden row shows in the output; `undefined` if none does. */
  readonly leak: string | undefined
  readonly touched: Touched
  readonly isRefused: boolean
  /** Name of another endpoint through which the rows were also requested. */
  readonly way?: string | undefined
}

function addTouched(touched: Touched, plan: LogicalPlan, { tables }: ScopeBlock, { isVisible }: ScopeCaller): void {
  visit(plan, (node) => {
    for (const inner of subqueries(node))
      addTouched(touched, inner, { tables } as ScopeBlock, { isVisible } as ScopeCaller)
    if (node.kind !== 'scan') return
    const { startNs, endNs } = node.range
    const passes = isVisible.get(node.table)
    tables.get(node.table)?.forEach(({ timeNs }, i) => {
      if (timeNs < startNs || (timeNs >= endNs && endNs !== MAX_NS)) return
      touched.rows++
      if (passes?.[i] !== true) touched.hidden++
    })
  })
}

export interface CheckOptions {
  /** The other endpoints; none by default. */
  readonly endpoints?: readonly ScopeEndpoint[]
  readonly endpointShare: number
  /** The HTTP servers of the block; none by default. */
  readonly served?: ServedPairs | undefined
  readonly servedShare: number
  /** Shares of cases in which additional outputs are compared; 1 compares them always. */
  readonly limitsShare: number
  readonly cacheShare: number
  readonly beforeShare: number
  readonly explainShare: number
}

export const usualShares: CheckOptions = {
  limitsShare: 0.06,
  cacheShare: 0.025,
  beforeShare: 0.12,
  explainShare: 0.25,
  endpointShare: 0.08,
  servedShare: 0.08,
}

/** True if a question is about storage, which callers with a scope may not ask. */
function isAboutStorage(question: ScopeQuestion): boolean {
  let found = false
  const visitFrom = (plan: LogicalPlan): void =>
    visit(plan, (node) => {
      if (node.kind === 'table-apply' && standardFunctions.tables.get(node.fn)?.physical !== undefined) found = true
      for (const inner of subqueries(node)) visitFrom(inner)
    })
  try {
    visitFrom(question.plan())
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
  }
  return found
}

/**
 * Runs a question with a scope over all rows, and without a scope over only the visible rows. Answers, errors, advice,
 * explanations and statistics must be equal. In some cases, the engine first runs the question without a scope and with
 * another scope, to fill its caches. Some cases have small limits, which must count only visible rows.
 */
export async function checkCase(
  block: ScopeBlock,
  caller: ScopeCaller,
  pair: Pair,
  question: ScopeQuestion,
  random: Random,
  options: CheckOptions = usualShares,
): Promise<CaseReport> {
  const { scoped } = pair
  const isPhysical = isAboutStorage(question)
  // Every scope rejects such questions. So the other side gets the same scope, which hides none of its rows.
  const plain = isPhysical ? viewOf(caller.visible, caller.scope) : pair.plain
  const compiled = compileFor(scoped, question)
  const reference = compileFor(plain, question)
  const touched: Touched = { rows: 0, hidden: 0 }
  if ('plan' in compiled) addTouched(touched, compiled.plan.optimized, block, caller)
  const report = (leak: string | undefined, isRefused = false): CaseReport => ({ leak, touched, isRefused })
  if (!('plan' in compiled) || !('plan' in reference)) {
    const same = compiled.description === reference.description
    return report(
      same ? undefined : `told ${compiled.description} under the scope, ${reference.description} over what it shows`,
      true,
    )
  }
  const primes = random.next() < options.cacheShare
  const limits = random.next() < options.limitsShare ? drawLimits(random) : undefined
  let isRefused = false
  for (const backend of scopeBackends) {
    const settings: RunOptions = {
      backend,
      isScoped: true,
      explainsBefore: random.next() < options.beforeShare,
      explainsAfter: random.next() < options.explainShare,
      limits: undefined,
    }
    if (primes) await primeCaches(block, caller, question, settings)
    const shown = await outcomeOf(scoped, compiled, question, settings)
    const wanted = await outcomeOf(plain, reference, question, { ...settings, isScoped: isPhysical })
    const difference = firstDifference(shown, wanted)
    if (difference !== undefined) return report(`${backend}: ${difference}`)
    if (shown.refusal !== '') isRefused = true
    if (limits === undefined) continue
    const found = await limitLeak(caller, { scoped, plain }, question, [compiled, reference], { ...settings, limits })
    if (found !== undefined) return report(`${backend}, with the limits ${JSON.stringify(limits)}: ${found}`)
  }
  const { endpoints = [], endpointShare } = options
  if (endpoints.length > 0 && random.next() < endpointShare) {
    const backend = random.pick(scopeBackends)
    const found = await endpointLeak(block, caller, backend, random, endpoints)
    if (found !== undefined) return report(`${backend}: ${found}`)
  }
  const { served, servedShare } = options
  if (served !== undefined && random.next() < servedShare) {
    const request = drawHttpRequest(random, block, question, drawFilter(random, block))
    const found = await served.compare(block.callers[0] === caller ? 0 : 1, request)
    return { ...report(found?.leak, isRefused), way: found?.way }
  }
  return report(undefined, isRefused)
}

function drawFilter(random: Random, { kind, baseNs }: ScopeBlock): string {
  return renamed(writeFilter(new Writer(random, storedFields, () => '*', baseNs), 1), kind)
}

/** Compares the answers of another endpoint on both sides. */
async function endpointLeak(
  block: ScopeBlock,
  { scope, visible }: ScopeCaller,
  backend: ScopeBackend,
  random: Random,
  endpoints: readonly ScopeEndpoint[],
): Promise<string | undefined> {
  const fitting = endpoints.filter(({ domains }) => domains.includes(block.kind.domain))
  const { name, run } = random.pick(fitting)
  const request = drawRequest(random, block, drawFilter(random, block))
  const scoped = await answerText(() => run(block.whole.engines[backend], request, scope))
  const plain = await answerText(() => run(visible.engines[backend], request, undefined))
  if (scoped === plain) return undefined
  return `${name} of ${JSON.stringify(request)}: ${scoped.slice(0, 400)} under the scope, ${plain.slice(0, 400)} over what it shows`
}

/** Runs the question without a scope and with another scope right before, on the same engine, to fill its caches. */
async function primeCaches(
  block: ScopeBlock,
  caller: ScopeCaller,
  question: ScopeQuestion,
  options: RunOptions,
): Promise<void> {
  const others = block.callers.filter((each) => each !== caller)
  for (const scope of [undefined, ...others.map((each) => each.scope)]) {
    const view = viewOf(block.whole, scope)
    await outcomeOf(view, compileFor(view, question), question, options)
  }
}

function drawLimits(random: Random): Partial<EngineLimits> {
  const rows = random.below(30)
  return random.pick([{ scanRows: rows }, { scanRows: rows }, { bridgeRows: rows }, { subqueryValues: rows % 6 }])
}

/**
 * Checks that hidden rows do not count towards a limit. Scans count rows differently if there is no scope. So both
 * sides get the scope, which hides nothing on one side.
 */
async function limitLeak(
  { scope, visible }: ScopeCaller,
  { scoped, plain }: Pair,
  question: ScopeQuestion,
  [compiled, reference]: readonly [Compiled, Compiled],
  options: RunOptions,
): Promise<string | undefined> {
  const shown = await outcomeOf(scoped, compiled, question, options)
  if (options.limits?.scanRows === undefined) {
    return firstDifference(shown, await outcomeOf(plain, reference, question, { ...options, isScoped: false }))
  }
  const other = viewOf(visible, scope)
  return firstDifference(shown, await outcomeOf(other, compileFor(other, question), question, options))
}
