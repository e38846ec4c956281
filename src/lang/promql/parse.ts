import {
  Options,
  checkArgument,
  isError,
  nowhere,
  span,
  spanOf,
  SluiceError,
  type Diagnostic,
} from '../../base/index.ts'
import { utf8Length } from '../../data/index.ts'
import type { PromqlExpr } from './ast.ts'
import { checkTypes } from './check-types.ts'
import type { Parameters } from '../parameter-values.ts'
import { bindPromql } from './parameters.ts'
import { promqlDiagnostic } from './diagnostics.ts'
import { ALL_FEATURES, type PromqlFeatures } from './features.ts'
import { measure } from './measure.ts'
import { describeStop, FaultList } from '../kit/index.ts'
import { PromqlParser } from './parser/parser.ts'
import { tokenize } from './parser/refine.ts'
import { ParseSession } from './parser/syntax.ts'

/** Limits on one text. `Infinity` removes a limit. Without the limit `nesting`, the stack may overflow. */
export interface PromqlLimits {
  /** Maximum length of the text, UTF-8 bytes. */
  readonly textBytes: number
  /** Maximum nesting depth of brackets. */
  readonly nesting: number
  /** Maximum number of nodes on the path from the root to a leaf. A chain of n operators counts n. */
  readonly height: number
}

export const PROMQL_LIMITS: PromqlLimits = { textBytes: 65_536, nesting: 128, height: 1000 }

export interface PromqlOptions {
  /** Values of parameters, written `$name` in the text. If omitted, `$` is an error. */
  readonly parameters?: Parameters | undefined
  /** Experimental features to switch on or off. Default: all are on. */
  readonly features?: Partial<PromqlFeatures> | undefined
  readonly limits?: Partial<PromqlLimits> | undefined
}

const promqlOptions = new Options<PromqlOptions>({ parameters: 'object', features: 'object', limits: 'object' })

/** The syntax tree of a PromQL text, or the errors in the text. */
export interface PromqlParse {
  /** The syntax tree; `undefined` if and only if there is an error. */
  readonly ast: PromqlExpr | undefined
  /** Diagnostics in the order of parsing: syntax errors, then semantic errors. The first one is the most useful. */
  readonly diagnostics: readonly Diagnostic[]
}

let sharedParser: PromqlParser | undefined

interface ParseState {
  readonly tree: PromqlExpr | undefined
  readonly session: ParseSession
}

/** Parses a text and adds its diagnostics to `findings`, in parse order. */
function read(text: string, features: PromqlFeatures, limits: PromqlLimits, findings: Diagnostic[]): ParseState {
  const parser = (sharedParser ??= new PromqlParser())
  const faults = new FaultList()
  const reportContent = (diagnostic: Diagnostic): void => {
    // Semantic errors after a syntax error are dropped, because they are mostly consequences of it.
    if (faults.list.length === 0) findings.push(diagnostic)
  }
  const session = new ParseSession(text, features, limits.nesting, faults.report, reportContent)
  const tokens = tokenize(text)
  if (tokens.length === 0) {
    findings.push(promqlDiagnostic('no-expression', undefined, span(0, 0)))
    return { tree: undefined, session }
  }
  let tree: PromqlExpr | undefined
  let stop: Diagnostic | undefined
  try {
    tree = parser.parse(tokens, session)
  } catch (error) {
    stop = describeStop(
      error,
      () => promqlDiagnostic('too-deep', { limit: limits.nesting }, nowhere),
      () => promqlDiagnostic('too-many-errors', undefined, span(text.length, text.length)),
    )
  }
  findings.push(...faults.withoutRepeats(text.length))
  if (stop !== undefined) findings.push(stop)
  return { tree, session }
}

function findAll(text: string, options: PromqlOptions, isChecked: boolean): PromqlParse {
  const features = { ...ALL_FEATURES, ...options.features }
  const limits = { ...PROMQL_LIMITS, ...options.limits }
  const bytes = text.length * 3 > limits.textBytes ? utf8Length(text) : text.length
  if (bytes > limits.textBytes) {
    const data = { bytes, limit: limits.textBytes }
    return { ast: undefined, diagnostics: [promqlDiagnostic('too-long', data, span(0, text.length))] }
  }
  const diagnostics: Diagnostic[] = []
  const { tree, session } = read(text, features, limits, diagnostics)
  if (tree === undefined || diagnostics.some(isError)) return { ast: undefined, diagnostics }
  if (!isChecked) return { ast: tree, diagnostics }
  checkTypes(tree, text, session.tree.modifiers, (diagnostic) => diagnostics.push(diagnostic))
  const { height } = measure(tree)
  if (diagnostics.length === 0 && height > limits.height) {
    diagnostics.push(promqlDiagnostic('too-tall', { height, limit: limits.height }, tree.span))
  }
  return { ast: diagnostics.some(isError) ? undefined : tree, diagnostics }
}

function findSafely(text: string, options: PromqlOptions, isChecked: boolean): PromqlParse {
  try {
    return findAll(text, options, isChecked)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const limit = options.limits?.nesting ?? PROMQL_LIMITS.nesting
    return { ast: undefined, diagnostics: [promqlDiagnostic('too-deep', { limit }, nowhere)] }
  }
}

/** Parses a PromQL expression. Never throws: errors are diagnostics with positions. */
export function parsePromql(text: string, options: PromqlOptions = {}): PromqlParse {
  checkArgument(typeof text === 'string', text, 'a PromQL expression', "parsePromql('up')")
  promqlOptions.check(options, '`parsePromql`')
  if (options.parameters === undefined) return findSafely(text, options, true)
  const bound = bindPromql(text, options.parameters)
  if (bound.diagnostics.some(isError)) return { ast: undefined, diagnostics: bound.diagnostics }
  const { ast, diagnostics } = findSafely(bound.text, options, true)
  return { ast, diagnostics: diagnostics.map(bound.atOriginal) }
}

/** Parses a text and checks only the syntax. For texts in which the types of some parts become known later. */
export function parseUnchecked(text: string): PromqlParse {
  return findSafely(text, {}, false)
}

/** Parses an expression like `parsePromql`, but throws SluiceError if there is an error. */
export function parsePromqlOrThrow(text: string, options: PromqlOptions = {}): PromqlExpr {
  const { ast, diagnostics } = parsePromql(text, options)
  if (ast === undefined) throw new SluiceError(diagnostics)
  return ast
}

/** Returns the start of a diagnostic as `line:column`, with columns counted in bytes. */
export function promqlPosition(diagnostic: Diagnostic, text: string): string {
  const start = spanOf(diagnostic.origin)?.start ?? 0
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(0, lineStart).split('\n').length
  const column = utf8Length(text.slice(lineStart, start)) + 1
  return `${line}:${column}`
}

/** Formats a diagnostic like Prometheus: `line:column: parse error: …`. */
export function renderPromqlError(diagnostic: Diagnostic, text: string): string {
  return `${promqlPosition(diagnostic, text)}: parse error: ${diagnostic.message}`
}
