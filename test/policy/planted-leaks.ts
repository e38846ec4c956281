import { present } from '../../src/base/index.ts'
import type { RecordBatch } from '../../src/data/index.ts'
import { PlanEngine, type CompiledPlan, type QueryResult } from '../../src/engine/index.ts'
import { serve } from '../../src/cli/scope-served.ts'
import type { ScopeEndpoint, Serve, ServedPairs } from '../../src/fuzz/scope/index.ts'
import {
  BATCH_ROWS,
  servedBlock,
  viewOf,
  pairOf,
  type View,
  type ScopeBlock,
  type ScopeCaller,
  type Pair,
  type ScopeQuestion,
  type RowKind,
} from '../../src/fuzz/scope/index.ts'
import {
  and,
  column,
  fieldPattern,
  fingerprint,
  mapSubqueries,
  rewriteUp,
  test,
  type LogicalPlan,
} from '../../src/plan/index.ts'

/** A block of cases with one guard removed, and the callers to compare. */
export interface Planted {
  readonly block: ScopeBlock
  readonly pair: Pair
  readonly endpoints: readonly ScopeEndpoint[]
  readonly served?: ServedPairs
}

export interface PlantedLeak {
  readonly place: string
  readonly kind: RowKind['name']
  /** Returns the plan without the guards at this place only, or the same plan if it has no such place. */
  readonly forget?: (plan: LogicalPlan, question: ScopeQuestion) => LogicalPlan
  readonly plant: (block: ScopeBlock, caller: ScopeCaller, endpoints: readonly ScopeEndpoint[]) => Planted
}

function withoutGuards(plan: LogicalPlan): LogicalPlan {
  return rewriteUp(plan, (node) => (node.kind === 'scan' ? { ...node, guard: undefined } : node))
}

/** Returns a function that rewrites a plan with `below`, which removes the guards of the nodes it selects. */
function forgetAt(below: (node: LogicalPlan) => LogicalPlan): (plan: LogicalPlan) => LogicalPlan {
  return (plan) => rewriteUp(plan, below)
}

/**
 * Returns a caller whose plans lose a guard after they were checked. Everything else about the scope stays the same.
 */
function forgetful(view: View, block: ScopeBlock, forget: NonNullable<PlantedLeak['forget']>): View {
  const lax = viewOf(block.whole, () => undefined)
  return {
    compile: (plan, question) => {
      const compiled = view.compile(plan, question)
      return { ...compiled, optimized: forget(compiled.optimized, question) }
    },
    run: (compiled, question, backend, limits) => {
      const result = lax.run(compiled, question, backend, limits)
      const advice: QueryResult['advice'] = (text) => view.run(compiled, question, backend, limits).advice(text)
      return withBatches(result, () => result.batches(), undefined, advice)
    },
  }
}

export function planLeak(place: string, forget: NonNullable<PlantedLeak['forget']>): PlantedLeak {
  return {
    place,
    kind: 'logs',
    forget,
    plant: (block, caller, endpoints) => {
      const pair = pairOf(block, caller)
      return { block, endpoints, pair: { ...pair, scoped: forgetful(pair.scoped, block, forget) } }
    },
  }
}

function endpointLeak(place: string, kind: RowKind['name'], name: string): PlantedLeak {
  return {
    place,
    kind,
    plant: (block, caller, endpoints) => ({
      block,
      pair: pairOf(block, caller),
      endpoints: endpoints.map((each) =>
        each.name === name ? { ...each, run: (engine, request) => each.run(engine, request, undefined) } : each,
      ),
    }),
  }
}

/**
 * Returns a leaking view: it explains the query as if run without the scope, and redacts the result as if run with it.
 */
function indiscreet(view: View, block: ScopeBlock): View {
  const open = viewOf(block.whole, () => undefined)
  return {
    compile: (plan, question) => view.compile(plan, question),
    run: (compiled, question, backend, limits) => {
      const told = open.run({ ...compiled, optimized: withoutGuards(compiled.optimized) }, question, backend, limits)
      const result = view.run(compiled, question, backend, limits)
      async function* batches(): ReturnType<QueryResult['batches']> {
        await drained(told)
        yield* result.batches()
      }
      return withBatches(result, batches, () => told.explain())
    },
  }
}

/** Returns a leaking view: its advice on names in a query also covers hidden rows. */
function tattling(view: View, block: ScopeBlock): View {
  const open = viewOf(block.whole, () => undefined)
  return {
    compile: (plan, question) => view.compile(plan, question),
    run: (compiled, question, backend, limits) => {
      const result = view.run(compiled, question, backend, limits)
      const advice: QueryResult['advice'] = (text) => open.run(compiled, question, backend, limits).advice(text)
      return withBatches(result, () => result.batches(), undefined, advice)
    },
  }
}

const PLACE = '__place'

/** Samples one in `n` stored records by position, so that hidden records count. */
function sampledByPlace(plan: LogicalPlan): LogicalPlan {
  return rewriteUp(plan, (node) => {
    if (node.kind !== 'sample' || node.mode !== 'one-in' || node.input.kind !== 'scan') return node
    const { guard, predicate, columns, origin, ...scan } = node.input
    if (columns !== undefined) return node
    const places = Array.from({ length: 100 }, (_, i) => i).filter((place) => place % node.n === 0)
    const isChosen = test(column(PLACE), { kind: 'in', values: places, isFolded: false, isTyped: true })
    const call = { fn: 'count', args: [], params: [], filter: undefined, orderBy: [], limit: undefined, origin }
    const numbered: LogicalPlan = {
      kind: 'window',
      input: { ...scan, guard: undefined, predicate: undefined, columns, origin },
      partitionBy: [],
      orderBy: [],
      calls: [{ name: PLACE, type: 'integer', call, frame: 'running' }],
      origin,
    }
    const conditions = [isChosen, guard, predicate].filter((each) => each !== undefined)
    const chosen: LogicalPlan = { kind: 'filter', input: numbered, predicate: and(conditions), origin }
    return { kind: 'drop', input: chosen, fields: [fieldPattern(PLACE)], origin }
  })
}

type KeyOf = (plan: LogicalPlan) => LogicalPlan

async function drained(result: Pick<QueryResult, 'batches'>): Promise<readonly RecordBatch[]> {
  const batches: RecordBatch[] = []
  for await (const batch of result.batches()) batches.push(batch)
  return batches
}

/** Returns a result with other batches than those the query returned. */
function withBatches<Shape extends object>(
  result: QueryResult<Shape>,
  batches: QueryResult['batches'],
  explain = () => result.explain(),
  advice: QueryResult['advice'] = (text) => result.advice(text),
): QueryResult<Shape> {
  const { schema, isAggregate, diagnostics, plan } = result
  return {
    schema,
    isAggregate,
    diagnostics,
    plan,
    batches,
    askPlans: () => result.askPlans(),
    rows: () => result.rows(),
    toArray: () => result.toArray(),
    partial: () => result.partial(),
    advice,
    rowAdvice: () => result.rowAdvice(),
    soFar: () => result.soFar(),
    statistics: () => result.statistics(),
    explain,
  }
}

/** A leaking engine: it caches the rows of answers under an incomplete key. */
class Cache extends PlanEngine {
  readonly #kept = new Map<string, readonly RecordBatch[]>()
  readonly #keyOf: KeyOf

  constructor(backends: PlanEngine['backends'], upper: PlanEngine['backends'][number], keyOf: KeyOf) {
    super({ backends, upper, limits: { batchRows: BATCH_ROWS } })
    this.#keyOf = keyOf
  }

  override queryCompiled<Shape extends object>(
    compiled: CompiledPlan,
    options: Parameters<PlanEngine['queryCompiled']>[1],
  ): QueryResult<Shape> {
    const key = fingerprint(this.#keyOf(compiled.optimized))
    const kept = this.#kept
    const result = super.queryCompiled<Shape>(compiled, options)
    return withBatches(result, async function* batches() {
      const own = await drained(result)
      const found = kept.get(key) ?? own
      kept.set(key, found)
      yield* found
    })
  }
}

/** Replaces both engines that see all data by engines that cache answers. `keyOf` derives the cache key from a plan. */
export function plantCache(
  block: ScopeBlock,
  caller: ScopeCaller,
  endpoints: readonly ScopeEndpoint[],
  keyOf: KeyOf,
): Planted {
  const { columnar, sqlite } = block.whole.engines
  const [upper] = columnar.backends
  const engines = {
    columnar: new Cache(columnar.backends, present(upper), keyOf),
    sqlite: new Cache(sqlite.backends, present(upper), keyOf),
  }
  const shared: ScopeBlock = { ...block, whole: { ...block.whole, engines } }
  return { block: shared, endpoints, pair: pairOf(shared, caller) }
}

/** Every place in the code where a scope could be lost, with a patch that removes it only there. */
export const plantedLeaks: readonly PlantedLeak[] = [
  planLeak('from', (plan, { uses }) =>
    uses.has('from')
      ? rewriteUp(plan, (node) =>
          node.kind === 'scan' && JSON.stringify(node.origin).includes('"from"') ? { ...node, guard: undefined } : node,
        )
      : plan,
  ),
  planLeak(
    'join, left side',
    forgetAt((node) => (node.kind === 'join' ? { ...node, left: withoutGuards(node.left) } : node)),
  ),
  planLeak(
    'join, right side',
    forgetAt((node) => (node.kind === 'join' ? { ...node, right: withoutGuards(node.right) } : node)),
  ),
  planLeak(
    'union',
    forgetAt((node) =>
      node.kind === 'union'
        ? { ...node, inputsList: node.inputsList.map((input, i) => (i === 0 ? input : withoutGuards(input))) }
        : node,
    ),
  ),
  planLeak(
    'in-subquery',
    forgetAt((node) => mapSubqueries(node, withoutGuards)),
  ),
  planLeak(
    'window',
    forgetAt((node) => (node.kind === 'window' ? { ...node, input: withoutGuards(node.input) } : node)),
  ),
  planLeak(
    'limit by',
    forgetAt((node) => (node.kind === 'limit-by' ? { ...node, input: withoutGuards(node.input) } : node)),
  ),
  planLeak(
    'count if',
    forgetAt((node) =>
      node.kind === 'aggregate' && node.aggregates.some(({ call }) => call.filter !== undefined)
        ? { ...node, input: withoutGuards(node.input) }
        : node,
    ),
  ),
  planLeak(
    'having',
    forgetAt((node) =>
      node.kind === 'filter' && node.input.kind === 'aggregate' ? { ...node, input: withoutGuards(node.input) } : node,
    ),
  ),
  endpointLeak('list of clusters', 'clusters', 'clusters'),
  endpointLeak('list of events', 'events', 'events'),
  endpointLeak('list of workloads', 'workloads', 'workloads'),
  endpointLeak('names of fields', 'logs', 'field-names'),
  endpointLeak('values of fields', 'spans', 'field-values'),
  endpointLeak('suggestions', 'logs', 'suggestions'),
  {
    place: 'explain',
    kind: 'logs',
    plant: (block, caller, endpoints) => {
      const pair = pairOf(block, caller)
      return { block, endpoints, pair: { ...pair, scoped: indiscreet(pair.scoped, block) } }
    },
  },
  {
    place: 'advice on names',
    kind: 'logs',
    plant: (block, caller, endpoints) => {
      const pair = pairOf(block, caller)
      return { block, endpoints, pair: { ...pair, scoped: tattling(pair.scoped, block) } }
    },
  },
  {
    place: 'sample',
    kind: 'logs',
    plant: (block, caller, endpoints) => {
      const { scoped, plain } = pairOf(block, caller)
      const visible = forgetful(plain, { ...block, whole: caller.visible }, sampledByPlace)
      return { block, endpoints, pair: { scoped: forgetful(scoped, block, sampledByPlace), plain: visible } }
    },
  },
  {
    place: 'HTTP',
    kind: 'logs',
    plant: (block, caller, endpoints) => {
      // A server over all data must not apply policies.
      const lax: Serve = (data) =>
        serve(data.tables === block.tables ? { ...data, users: data.users.map(() => []) } : data)
      return { block, endpoints, pair: pairOf(block, caller), served: servedBlock(lax, block, 1) }
    },
  },
  {
    place: 'cache',
    kind: 'logs',
    plant: (...given) => plantCache(...given, withoutGuards),
  },
]
