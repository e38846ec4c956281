import { atPath, present, type JsonPath } from '../../../base/index.ts'
import {
  aggregationSignatures,
  argumentCount,
  seriesSignatures,
  type AggregationSignature,
  type SeriesSignature,
} from '../../../plan/index.ts'
import {
  ARITHMETIC_OPS,
  COMPARISON_OPS,
  SET_OPS,
  TRIM_OPS,
  type BinaryOp,
  type PromqlExpr,
  type VectorMatching,
} from '../ast.ts'
import { PLAIN_MATCHING } from '../build.ts'
import { promqlDiagnostic } from '../diagnostics.ts'
import * as make from '../make.ts'
import { readDuration, readNumber } from '../text/number-text.ts'
import { PipelineFault } from './pipeline-fault.ts'

/** Call of a metric pipeline function, whose inputs are already compiled to expressions. */
export interface AppliedFunction {
  readonly name: string
  readonly args: readonly unknown[]
  readonly inputs: readonly PromqlExpr[]
  readonly path: JsonPath
}

const OPERATORS: ReadonlySet<string> = new Set<string>([...ARITHMETIC_OPS, ...COMPARISON_OPS, ...TRIM_OPS, ...SET_OPS])

function show(arg: unknown): string {
  return (arg === undefined ? 'none' : (JSON.stringify(arg) ?? 'none')).slice(0, 80)
}

function refuse(fn: AppliedFunction, wanted: string, arg: unknown): never {
  const data = { name: fn.name, wanted, got: show(arg) }
  throw new PipelineFault(promqlDiagnostic('pipeline-argument', data, atPath([...fn.path, 'args'])))
}

function refuseInputs(fn: AppliedFunction, wanted: string): never {
  const data = { name: fn.name, wanted, got: fn.inputs.length }
  throw new PipelineFault(promqlDiagnostic('pipeline-inputs', data, atPath([...fn.path, 'pipelines'])))
}

interface NumberArg {
  readonly value: number
  readonly isDuration: boolean
}

/**
 * Parses a numeric argument: a number, or a string that contains a signed number or a duration. `undefined` for other
 * arguments.
 */
function readNumberArg(arg: unknown): NumberArg | undefined {
  if (typeof arg === 'number') return { value: arg, isDuration: false }
  if (typeof arg !== 'string') return undefined
  const trimmed = arg.trim()
  const sign = trimmed.startsWith('-') ? -1 : 1
  const bare = trimmed.replace(/^[+-]/, '')
  const plain = readNumber(bare)
  if ('value' in plain) return { value: sign * plain.value, isDuration: false }
  const duration = bare === '' ? undefined : readDuration(bare)
  return duration !== undefined && 'value' in duration ? { value: sign * duration.value, isDuration: true } : undefined
}

function numberOf(fn: AppliedFunction, arg: unknown, wanted: string): NumberArg {
  return readNumberArg(arg) ?? refuse(fn, wanted, arg)
}

function labelsOf(fn: AppliedFunction, args: readonly unknown[]): readonly string[] {
  return args.map((arg) => (typeof arg === 'string' && arg !== '' ? arg : refuse(fn, 'names of labels', arg)))
}

/** Parses an argument such as `by:a,b` to its keyword and labels; `undefined` for other arguments. */
function readClause(arg: unknown): { readonly word: string; readonly labels: readonly string[] } | undefined {
  const match = typeof arg === 'string' ? /^(by|without|on|ignoring|group_left|group_right):(.*)$/s.exec(arg) : null
  if (match === null) return undefined
  const [, word = '', names = ''] = match
  const labels = names.split(',').map((label) => label.trim())
  return { word, labels: labels.filter((label) => label !== '') }
}

/**
 * Returns the window of a range function, seconds. The argument is a number of seconds (`"600"`) or a duration
 * (`"10m"`).
 */
function windowOf(fn: AppliedFunction, arg: unknown): number {
  const { value } = numberOf(fn, arg, 'a window such as "5m"')
  return value > 0 ? value : refuse(fn, 'a window longer than nothing', arg)
}

function applyCall(fn: AppliedFunction, signature: SeriesSignature): PromqlExpr {
  const args = [...fn.args]
  const inputs = [...fn.inputs]
  const { min, max } = argumentCount(signature)
  const given: PromqlExpr[] = []
  for (let i = 0; i < max; i++) {
    const wanted = present(signature.args[Math.min(i, signature.args.length - 1)])
    if (i >= min && args.length === 0 && inputs.length === 0) break
    given.push(nextArgument(fn, wanted, args, inputs))
  }
  if (args.length > 0) refuse(fn, 'fewer values', args[0])
  if (inputs.length > 0) refuseInputs(fn, `${fn.inputs.length - inputs.length}`)
  return make.call(signature.name, given)
}

/**
 * Removes and returns the next argument of the type `wanted`. Series come from the input pipelines, numbers and strings
 * from `args`.
 */
function nextArgument(fn: AppliedFunction, wanted: string, args: unknown[], inputs: PromqlExpr[]): PromqlExpr {
  if (wanted === 'vector' || wanted === 'matrix') {
    const input = inputs.shift() ?? refuseInputs(fn, 'more')
    if (wanted === 'vector' || input.valueType === 'matrix') return input
    return make.withWindow(input, windowOf(fn, args.shift()))
  }
  if (args.length === 0 && inputs[0]?.valueType === wanted) return inputs.shift()!
  const arg = args.shift()
  if (wanted === 'string') return typeof arg === 'string' ? make.text(arg) : refuse(fn, 'a text', arg)
  const { value, isDuration } = numberOf(fn, arg, 'a number')
  return make.number(value, isDuration)
}

function oneInput(fn: AppliedFunction): PromqlExpr {
  const [only] = fn.inputs
  return fn.inputs.length === 1 && only !== undefined ? only : refuseInputs(fn, 'one')
}

/**
 * Applies an aggregation. `sum_by` takes labels as arguments; plain `sum` takes `by:…` or `without:…`. A parameter,
 * such as the k of `topk`, is the first argument.
 */
function applyAggregation(fn: AppliedFunction, signature: AggregationSignature, suffix: string): PromqlExpr {
  const input = oneInput(fn)
  const args = [...fn.args]
  let param: PromqlExpr | undefined
  if (signature.param === 'scalar') param = make.number(numberOf(fn, args.shift(), 'a number').value)
  if (signature.param === 'string') {
    const arg = args.shift()
    param = typeof arg === 'string' ? make.text(arg) : refuse(fn, 'the name of a label', arg)
  }
  if (suffix !== '') {
    return make.aggregation(signature.name, input, param, labelsOf(fn, args), suffix === '_without')
  }
  let grouping: readonly string[] = []
  let isWithout = false
  for (const arg of args) {
    const clause = readClause(arg)
    if (clause?.word !== 'by' && clause?.word !== 'without') refuse(fn, '"by:…" or "without:…"', arg)
    grouping = clause.labels
    isWithout = clause.word === 'without'
  }
  return make.aggregation(signature.name, input, param, grouping, isWithout)
}

/**
 * Applies a binary operator to two pipelines, or to a pipeline and a number. Arguments may include `bool`, `on:…`,
 * `ignoring:…`, `group_left:…` and `group_right:…`.
 */
function applyOperator(fn: AppliedFunction, op: BinaryOp): PromqlExpr {
  let matching: VectorMatching = PLAIN_MATCHING
  let isBool = false
  const operands = [...fn.inputs]
  for (const arg of fn.args) {
    const clause = readClause(arg)
    const value = readNumberArg(arg)
    if (arg === 'bool') isBool = true
    else if (clause?.word === 'on' || clause?.word === 'ignoring') {
      matching = { ...matching, isOn: clause.word === 'on', labels: clause.labels }
    } else if (clause?.word === 'group_left' || clause?.word === 'group_right') {
      const cardinality = clause.word === 'group_left' ? 'many-to-one' : 'one-to-many'
      matching = { ...matching, cardinality, include: clause.labels }
    } else if (value !== undefined) operands.push(make.number(value.value, value.isDuration))
    else refuse(fn, '"bool", "on:…", "ignoring:…", "group_left:…", "group_right:…" or a number', arg)
  }
  const [left, right] = operands
  if (operands.length !== 2 || left === undefined || right === undefined) return refuseInputs(fn, 'two')
  return make.binary(op, { isBool, matching }, left, right)
}

function knownNames(): readonly string[] {
  const aggregations = [...aggregationSignatures.keys()]
  return [...seriesSignatures.keys(), ...aggregations, ...aggregations.map((name) => `${name}_by`), ...OPERATORS]
}

/** Returns the expression for a pipeline function; throws `PipelineFault`. */
export function applyFunction(fn: AppliedFunction): PromqlExpr {
  const name = fn.name.trim()
  const signature = seriesSignatures.get(name)
  if (signature !== undefined) return applyCall(fn, signature)
  const match = /^(.*?)(_by|_without)?$/.exec(name)
  const aggregation = aggregationSignatures.get(match?.[1] ?? name)
  if (aggregation !== undefined) return applyAggregation(fn, aggregation, match?.[2] ?? '')
  if (OPERATORS.has(name.toLowerCase())) return applyOperator(fn, name.toLowerCase() as BinaryOp)
  const origin = atPath([...fn.path, 'name'])
  throw new PipelineFault(promqlDiagnostic('pipeline-function', { name: fn.name, known: knownNames() }, origin))
}
