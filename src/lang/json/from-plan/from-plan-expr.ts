import { SECOND_NS, formatDurationNs } from '../../../base/index.ts'
import { parseNumber, type Value } from '../../../data/index.ts'
import type { Expr } from '../../../plan/index.ts'
import type { MathExpression, Processor } from '../../../wire/index.ts'
import type { FunctionNames } from '../context.ts'
import { parseInterval, statsNameOf } from '../processor.ts'

/** A column with a chain of scalar steps. A selector can contain such a chain before its aggregate. */
export interface Chain {
  readonly key: string
  readonly steps: readonly Processor[]
}

function intervalText(widthNs: bigint): string | undefined {
  const text = widthNs % SECOND_NS === 0n ? `${widthNs / SECOND_NS} seconds` : formatDurationNs(widthNs)
  if (parseInterval(text) === widthNs) return text
  return parseInterval(`${widthNs}ns`) === widthNs ? `${widthNs}ns` : undefined
}

/** Returns a literal as an argument of a JSON processor; `undefined` if JSON has no such value. */
function argumentOf(value: Value): string | number | boolean | null | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  return undefined
}

/** Converts an expression to a column with a chain of scalar steps; `undefined` if it has another shape. */
export function chainOf(expr: Expr, functions: FunctionNames): Chain | undefined {
  if (expr.kind === 'column') return expr.name === '' ? undefined : { key: expr.name, steps: [] }
  if (expr.kind === 'bucket') {
    const below = chainOf(expr.arg, functions)
    const { bucket } = expr
    if (below === undefined || bucket.kind !== 'time' || bucket.offsetNs !== 0n || bucket.zone !== undefined) return
    const text = intervalText(bucket.widthNs)
    if (text === undefined) return undefined
    return { key: below.key, steps: [...below.steps, { op: 'toStartOfInterval', args: [text] }] }
  }
  if (expr.kind !== 'call') return undefined
  const [first, ...others] = expr.args
  const below = first === undefined ? undefined : chainOf(first, functions)
  // A stats function of the same name would take precedence over this scalar function.
  if (below === undefined || statsNameOf(expr.name, functions) !== undefined) return undefined
  if (functions.scalar(expr.name) === undefined) return undefined
  const args: (string | number | boolean | null)[] = []
  for (const other of others) {
    const value = other.kind === 'literal' ? argumentOf(other.value) : undefined
    if (value === undefined) return undefined
    args.push(value)
  }
  const step: Processor = args.length === 0 ? { op: expr.name } : { op: expr.name, args }
  return { key: below.key, steps: [...below.steps, step] }
}

const operators: Readonly<Record<string, string>> = { add: '+', sub: '-', mul: '*', div: '/', mod: '%', pow: '^' }

function scalarOf(value: Value): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const text = typeof value === 'bigint' || Number.isFinite(value) ? String(value) : numberWord(value)
  const read = parseNumber(text)
  return read !== undefined && Object.is(read, value) ? text : undefined
}

function numberWord(value: number): string {
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
}

/** Converts an expression to arithmetic on columns and numbers; `undefined` if it has another shape. */
export function mathOf(expr: Expr): MathExpression | undefined {
  if (expr.kind === 'column') return expr.name === '' ? undefined : { column: { key: expr.name } }
  if (expr.kind === 'literal') {
    const scalar = scalarOf(expr.value)
    return scalar === undefined ? undefined : { scalar }
  }
  if (expr.kind !== 'call') return undefined
  const args = expr.args.map(mathOf)
  if (!args.every((arg) => arg !== undefined)) return undefined
  const operator = operators[expr.name]
  if (operator !== undefined && args.length === 2) return { math_operator: operator, args }
  const [arg] = args
  if (args.length !== 1 || arg === undefined) return undefined
  // Arithmetic converts its operands to numbers, so adding 0 is the same as `number`.
  if (expr.name === 'number') return { math_operator: '+', args: [arg, { scalar: '0' }] }
  return expr.name === 'neg' ? { math_operator: '-', args: [{ scalar: '0' }, arg] } : undefined
}
