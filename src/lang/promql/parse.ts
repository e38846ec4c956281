import {
  Options,
  checkArgument,
  MAX_FAULTS,
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
import { LimitFault } from '../kit/index.ts'
import { PromqlParser } from './parser/parser.ts'
import { tokenize } from './parser/refine.ts'
import { ParseSession } from './parser/syntax.ts'

/** What a text may cost. `Infinity` lifts a limit; lifting `nesting` is at the caller's own risk. */
export interface PromqlLimits {
  /** Bytes of the text in UTF-8. */
  readonly textBytes: number
  /** Brackets inside brackets. */
  readonly nesting: number
  /** Nodes from the root to the deepest leaf; a row of n operators is n tall. */
  readonly height: number
}

export const PROMQL_LIMITS: PromqlLimits = { textBytes: 65_536, nesting: 128, height: 1000 }

export interface PromqlOptions {
  /** Values of parameters, which the text names as `$name`; without them `$` is not a character of the language. */
  readonly parameters?: Parameters | undefined
  /** Parts that are off unless named here; everything is on by default. */
  readonly features?: Partial<PromqlFeatures> | undefined
  readonly limits?: Partial<PromqlLimits> | undefined
}

const promqlOptions = new Options<PromqlOptions>({ parameters: 'object', features: 'object', limits: 'object' })

export interface PromqlParse {
  /** The tree; undefined exactly when there is an error among the diagnostics. */
  readonly ast: PromqlExpr | undefined
  /** In order of reading, errors of meaning after those of form; the first is the one to show. */
  readonly diagnostics: readonly Diagnostic[]
}

let sharedParser: PromqlParser | undefined

interface Reading {
  readonly tree: PromqlExpr | undefined
  readonly session: ParseSession
}

class TooManyErrorsError extends Error {}

/** Reads the text and adds what is wrong with it to `findings`, in order of reading. */
function read(text: string, features: PromqlFeatures, limits: PromqlLimits, findings: Diagnostic[]): Reading {
  const parser = (sharedParser ??= new PromqlParser())
  const faults: Diagnostic[] = []
  const report = (fault: Diagnostic): void => {
    if (faults.length === MAX_FAULTS) throw new TooManyErrorsError()
    faults.push(fault)
  }
  const reportContent = (diagnostic: Diagnostic): void => {
    // What builders say about a text that is already known to be broken is mostly noise.
    if (faults.length === 0) findings.push(diagnostic)
  }
  const session = new ParseSession(text, features, limits.nesting, report, reportContent)
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
    stop = describeStop(error, limits.nesting, text)
  }
  findings.push(...withoutRepeats(faults, text.length))
  if (stop !== undefined) findings.push(stop)
  return { tree, session }
}

function describeStop(error: unknown, limit: number, text: string): Diagnostic {
  if (error instanceof LimitFault) return error.diagnostic
  if (error instanceof RangeError) return promqlDiagnostic('too-deep', { limit }, nowhere)
  if (error instanceof TooManyErrorsError) {
    return promqlDiagnostic('too-many-errors', undefined, span(text.length, text.length))
  }
  throw error
}

/** After a fault reading goes on at the next safe place; what it then finds at the same spot, or at the end, is not new. */
function withoutRepeats(faults: readonly Diagnostic[], textEnd: number): readonly Diagnostic[] {
  const seen = new Set<number | undefined>()
  return faults.filter((fault, i) => {
    const place = spanOf(fault.origin)
    if (seen.has(place?.start) || (i > 0 && place?.start === textEnd)) return false
    seen.add(place?.start)
    return true
  })
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

/** Reads one PromQL expression. Never throws: whatever is wrong is a diagnostic with its place. */
export function parsePromql(text: string, options: PromqlOptions = {}): PromqlParse {
  checkArgument(typeof text === 'string', text, 'a PromQL expression', "parsePromql('up')")
  promqlOptions.check(options, '`parsePromql`')
  if (options.parameters === undefined) return findSafely(text, options, true)
  const bound = bindPromql(text, options.parameters)
  if (bound.diagnostics.some(isError)) return { ast: undefined, diagnostics: bound.diagnostics }
  const { ast, diagnostics } = findSafely(bound.text, options, true)
  return { ast, diagnostics: diagnostics.map(bound.told) }
}

/** Form only: for texts whose parts get their meaning later. */
export function parseUnchecked(text: string): PromqlParse {
  return findSafely(text, {}, false)
}

/** As `parsePromql`, for callers that want the tree or a `SluiceError`. */
export function parsePromqlOrThrow(text: string, options: PromqlOptions = {}): PromqlExpr {
  const { ast, diagnostics } = parsePromql(text, options)
  if (ast === undefined) throw new SluiceError(diagnostics)
  return ast
}

/** Where a diagnostic begins, as `line:column`, the column counted in bytes. */
export function promqlPlace(diagnostic: Diagnostic, text: string): string {
  const start = spanOf(diagnostic.origin)?.start ?? 0
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(0, lineStart).split('\n').length
  const column = utf8Length(text.slice(lineStart, start)) + 1
  return `${line}:${column}`
}

/** A diagnostic as the reference renders it: `line:column: parse error: …`. */
export function renderPromqlError(diagnostic: Diagnostic, text: string): string {
  return `${promqlPlace(diagnostic, text)}: parse error: ${diagnostic.message}`
}
