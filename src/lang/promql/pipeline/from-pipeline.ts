import { hasMember, checkArgument, atPath, isError, type Diagnostic, type JsonPath } from '../../../base/index.ts'
import { childrenOf, type Matcher, type PromqlExpr } from '../ast.ts'
import { checkTypes } from '../check-types.ts'
import { matchersOf, type LabelCondition } from '../condition-matchers.ts'
import { promqlDiagnostic } from '../diagnostics.ts'
import { PipelineFault } from './pipeline-fault.ts'
import { applyFunction } from './pipeline-function.ts'
import { fillSlots } from './pipeline-template.ts'
import { restrictAll } from '../transform.ts'
import { NO_PLACE } from '../make.ts'
import { measure } from '../measure.ts'
import { PROMQL_LIMITS } from '../parse.ts'
import { isPlainMetricName } from '../parser/tokens.ts'

/** A metric pipeline in a request body. Exactly one of `metric`, `function` and `template` is set. */
export interface MetricPipelineInput {
  /** Conditions for every selector in this pipeline and in its sub-pipelines. */
  readonly conditions?: readonly LabelCondition[] | undefined
  readonly function?:
    | {
        readonly name?: string | undefined
        readonly args?: readonly unknown[] | undefined
        readonly pipelines?: readonly MetricPipelineInput[] | undefined
      }
    | undefined
  readonly metric?: string | undefined
  /** Name of a sub-pipeline, or a PromQL text in which slots `{{name}}` stand for sub-pipelines. */
  readonly template?: string | undefined
}

/** All parts of a metric query in a request body. */
export interface MetricQueryInput {
  readonly pipeline: MetricPipelineInput
  readonly subPipelines?: ReadonlyMap<string, MetricPipelineInput> | undefined
  /** Conditions of the request, which apply to every selector. */
  readonly conditions?: readonly LabelCondition[] | undefined
  /** Further matchers for every selector, for example those of the request's filter text. */
  readonly matchers?: readonly Matcher[]
}

export interface PipelineExpression {
  /** The compiled expression; `undefined` if and only if there is an error. */
  readonly ast: PromqlExpr | undefined
  /** Diagnostics whose positions are paths in the JSON body. */
  readonly diagnostics: readonly Diagnostic[]
}

const MAX_NODES = 5000
const MAX_DEPTH = 64

class PipelineReader {
  readonly #subPipelines: ReadonlyMap<string, MetricPipelineInput>
  /** Names of the sub-pipelines that are being expanded; used to detect cycles. */
  readonly #open: string[] = []
  #nodes = 0

  constructor(subPipelines: ReadonlyMap<string, MetricPipelineInput>) {
    this.#subPipelines = subPipelines
  }

  read(pipeline: MetricPipelineInput, path: JsonPath, depth: number): PromqlExpr {
    if (depth > MAX_DEPTH) throw new PipelineFault(promqlDiagnostic('too-deep', { limit: MAX_DEPTH }, atPath(path)))
    const given = [pipeline.metric, pipeline.function, pipeline.template].filter((part) => part !== undefined)
    if (given.length !== 1) throw new PipelineFault(promqlDiagnostic('pipeline-source', undefined, atPath(path)))
    return restrictAll(this.#source(pipeline, path, depth), this.matchers(pipeline.conditions, path))
  }

  matchers(conditions: readonly LabelCondition[] | undefined, path: JsonPath): readonly Matcher[] {
    const { matchers, diagnostics } = matchersOf(conditions, [...path, 'conditions'])
    const [fault] = diagnostics
    if (fault !== undefined) throw new PipelineFault(fault)
    return matchers
  }

  #source(pipeline: MetricPipelineInput, path: JsonPath, depth: number): PromqlExpr {
    if (pipeline.metric !== undefined) return this.#counted(selectMetric(pipeline.metric, path), path)
    if (pipeline.template !== undefined) return this.#template(pipeline.template, [...path, 'template'], depth)
    const { name = '', args = [], pipelines = [] } = pipeline.function!
    const functionPath = [...path, 'function']
    const inputs = pipelines.map((inner, i) => this.read(inner, [...functionPath, 'pipelines', i], depth + 1))
    return this.#counted(applyFunction({ name, args, inputs, path: functionPath }), path)
  }

  #template(template: string, path: JsonPath, depth: number): PromqlExpr {
    if (this.#subPipelines.has(template)) return this.#subPipeline(template, path, depth)
    // A template of one plain word is the name of a sub-pipeline.
    if (/^[\w.:-]*$/.test(template)) {
      const data = { name: template, known: [...this.#subPipelines.keys()] }
      throw new PipelineFault(promqlDiagnostic('pipeline-template', data, atPath(path)))
    }
    const filled = fillSlots(template, path, (name) => this.#subPipeline(name, path, depth))
    return this.#counted(filled, path)
  }

  #subPipeline(name: string, path: JsonPath, depth: number): PromqlExpr {
    const pipeline = this.#subPipelines.get(name)
    if (pipeline === undefined) {
      const data = { name, known: [...this.#subPipelines.keys()] }
      throw new PipelineFault(promqlDiagnostic('pipeline-template', data, atPath(path)))
    }
    if (this.#open.includes(name)) {
      throw new PipelineFault(promqlDiagnostic('pipeline-cycle', { name }, atPath(path)))
    }
    this.#open.push(name)
    const expr = this.read(pipeline, ['SubPipelines', name], depth + 1)
    this.#open.pop()
    return expr
  }

  /**
   * Adds an expression's number of nodes to the total and checks the total, so that nested templates cannot grow
   * without bound.
   */
  #counted(expr: PromqlExpr, path: JsonPath): PromqlExpr {
    this.#nodes += countNodes(expr, MAX_NODES)
    if (this.#nodes <= MAX_NODES) return expr
    throw new PipelineFault(promqlDiagnostic('pipeline-size', { limit: MAX_NODES }, atPath(path)))
  }
}

function countNodes(root: PromqlExpr, enough: number): number {
  const waiting = [root]
  let count = 0
  for (let expr = waiting.pop(); expr !== undefined && count <= enough; expr = waiting.pop()) {
    count++
    waiting.push(...childrenOf(expr))
  }
  return count
}

/**
 * Returns a selector for a metric. The name is before the braces if PromQL allows it there without quotes, else inside
 * the braces.
 */
function selectMetric(metric: string, path: JsonPath): PromqlExpr {
  if (metric === '') throw new PipelineFault(promqlDiagnostic('pipeline-source', undefined, atPath(path)))
  const isBare = isPlainMetricName(metric)
  return {
    kind: 'vector-selector',
    valueType: 'vector',
    name: isBare ? metric : '',
    matchers: [{ label: '__name__', op: '=', value: metric }],
    offsetMs: 0,
    offsetExpr: undefined,
    at: undefined,
    extension: undefined,
    span: NO_PLACE,
  }
}

/** Checks that the compiled expression is small enough for its text to be parsed. */
function checkSize(ast: PromqlExpr, path: JsonPath): void {
  const { height, nesting } = measure(ast)
  const { height: maxHeight, nesting: maxNesting } = PROMQL_LIMITS
  if (nesting > maxNesting) throw new PipelineFault(promqlDiagnostic('too-deep', { limit: maxNesting }, atPath(path)))
  if (height <= maxHeight) return
  throw new PipelineFault(promqlDiagnostic('too-tall', { height, limit: maxHeight }, atPath(path)))
}

/**
 * Compiles a metric query to one expression. The expression is built from nodes, never from text; printed as PromQL, it
 * parses to the same tree. Never throws: errors are in `diagnostics`, with their path in the body.
 */
export function pipelineToPromql(input: MetricQueryInput): PipelineExpression {
  checkArgument(
    hasMember(input, 'pipeline'),
    input,
    'the steps of a Pipeline',
    'pipelineToPromql({ pipeline, conditions })',
  )
  const path: JsonPath = ['Pipeline']
  try {
    const reader = new PipelineReader(input.subPipelines ?? new Map())
    const matchers = [...reader.matchers(input.conditions, []), ...(input.matchers ?? [])]
    const ast = restrictAll(reader.read(input.pipeline, path, 0), matchers)
    checkSize(ast, path)
    const diagnostics: Diagnostic[] = []
    checkTypes(ast, '', new Map(), (diagnostic) => diagnostics.push({ ...diagnostic, origin: atPath(path) }))
    return { ast: diagnostics.some(isError) ? undefined : ast, diagnostics }
  } catch (error) {
    if (error instanceof PipelineFault) return { ast: undefined, diagnostics: [error.diagnostic] }
    if (!(error instanceof RangeError)) throw error
    const limit = PROMQL_LIMITS.nesting
    return { ast: undefined, diagnostics: [promqlDiagnostic('too-deep', { limit }, atPath(path))] }
  }
}
