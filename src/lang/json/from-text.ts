import { at, isError, span, type Diagnostic, type JsonValue, type Origin } from '../../base/index.ts'
import {
  exprChildren,
  expressions,
  fingerprint,
  inputs,
  printExpr,
  subqueries,
  type Expr,
  type LogicalPlan,
} from '../../plan/index.ts'
import type { Pipeline } from '../../wire/index.ts'
import { lower, type LowerOptions } from '../log/lower.ts'
import { placeholdersOf } from '../log/open-parameters.ts'
import { parse, type ParseOptions } from '../log/parse.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { planToPipeline } from './from-plan/from-plan.ts'
import type { FromPlanOptions } from './from-plan/from-plan-notes.ts'
import { hasParameters, parameterJson } from './parameters.ts'

export interface TextPipeline {
  /** The pipeline; `undefined` if the text has errors or contains something that a pipeline cannot express. */
  readonly pipeline: Pipeline | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export interface FromTextOptions
  extends FromPlanOptions, Pick<ParseOptions, 'limits' | 'functionNames' | 'vocabulary' | 'parameters'> {
  /**
   * Current time, ns, for relative times such as "5 minutes ago". They become fixed times in the pipeline, with a
   * warning.
   */
  readonly nowNs: bigint
  /** Tables that the text may read by name. */
  readonly tables?: LowerOptions['tables']
}

/**
 * Converts a query text of the native dialect to a pipeline. Both have equal plans, or equal answers except for column
 * names. A parameter without a value becomes `{"$parameter": name}`.
 */
export function textToPipeline(text: string, options: FromTextOptions): TextPipeline {
  const { limits, functionNames, vocabulary, parameters } = options
  const open = parameters === undefined ? placeholdersOf(text, { limits, functionNames, vocabulary }) : undefined
  if (open === undefined) return boundToPipeline(text, options)
  const one = boundToPipeline(text, { ...options, parameters: open.values(0) })
  const other = boundToPipeline(text, { ...options, parameters: open.values(1) })
  if (one.pipeline === undefined || other.pipeline === undefined) return one
  const made = open.json(one.pipeline as JsonValue, other.pipeline as JsonValue, parameterJson)
  if (made !== undefined && hasParameters(made, open.names)) return { ...one, pipeline: made as Pipeline }
  const what = 'a parameter whose value decides the form of the query'
  const instead = 'Relative times and other values that are computed first cannot be parameters there.'
  const fault = jsonDiagnostic('no-pipeline', { what, instead }, at(span(0, text.length)))
  return { pipeline: undefined, diagnostics: [fault, ...one.diagnostics] }
}

function boundToPipeline(text: string, options: FromTextOptions): TextPipeline {
  const { limits, functionNames, vocabulary, parameters, nowNs, table = 'logs', tables, textField } = options
  const { ast, diagnostics } = parse(text, { limits, functionNames, vocabulary, parameters })
  if (diagnostics.some(isError)) return { pipeline: undefined, diagnostics }
  const planAt = (ns: bigint): LogicalPlan => {
    const how: LowerOptions = { nowNs: ns, table, tables, textField }
    return lower(ast, how)
  }
  const plan = planAt(nowNs)
  const { pipeline, diagnostics: found } = planToPipeline(plan, options)
  const fault = found.some(isError)
  // A part of the plan that differs when the clock is a minute later depends on the current time.
  const later = planAt(nowNs + 60_000_000_000n)
  const isFixed = !fault && fingerprint(plan) !== fingerprint(later)
  const notes = isFixed ? [jsonDiagnostic('fixed-time', {}, firstDifference(plan, later))] : []
  return { pipeline: fault ? undefined : pipeline, diagnostics: [...diagnostics, ...found, ...notes] }
}

/** Returns the origin of the first difference between two plans of one text. */
function firstDifference(a: LogicalPlan, b: LogicalPlan): Origin {
  const others = [...inputs(b), ...subqueries(b)]
  for (const [i, below] of [...inputs(a), ...subqueries(a)].entries()) {
    const other = others[i]
    if (other !== undefined && fingerprint(below) !== fingerprint(other)) return firstDifference(below, other)
  }
  const right = expressions(b)
  for (const [i, expr] of expressions(a).entries()) {
    const other = right[i]
    if (other !== undefined && printExpr(expr) !== printExpr(other)) return narrowest(expr, other)
  }
  return a.origin
}

function narrowest(a: Expr, b: Expr): Origin {
  const right = exprChildren(b)
  for (const [i, child] of exprChildren(a).entries()) {
    const other = right[i]
    if (other === undefined) return a.origin
    if (printExpr(child) !== printExpr(other)) return narrowest(child, other)
  }
  return a.origin
}
