import { Options, checkArgument, isError, span, withoutEchoes, type Diagnostic } from '../../base/index.ts'
import { utf8Length } from '../../data/index.ts'
import type { Dialect } from '../../plan/index.ts'
import type { Filter, Pipe, Query } from './ast.ts'
import { logDiagnostic } from './diagnostics.ts'
import type { CustomPipe } from './custom/definition.ts'
import { expand } from './custom/expand.ts'
import { withFixes } from './habits/index.ts'
import { defaultLogLimits, type LogLimits } from './limits.ts'
import { logParser, type LogParser } from './parser.ts'
import { printerOf } from './print/print.ts'
import type { Parameters } from '../parameter-values.ts'
import { Binding } from './parameters.ts'
import { scan } from './scan.ts'
import { openForm, type StatsCall, type StatsForms } from './stats/call.ts'
import { defaultResultName } from './stats/print.ts'
import { SyntaxFault, type Rule, type LogSession } from './syntax.ts'
import { standardVocabulary, type Vocabulary } from './vocabulary.ts'

/** Options for parsing a text. */
export interface ParseOptions {
  /** Dialect of the text. Default: `native`. */
  readonly dialect?: Dialect | undefined
  readonly limits?: Partial<LogLimits> | undefined
  /** Names of further stats functions that the text may call. */
  readonly functionNames?: readonly string[] | undefined
  /** Pipes and functions that the text may use. Default: the standard ones. */
  readonly vocabulary?: Vocabulary | undefined
  /**
   * Values of the parameters, written `$name` in the text. Missing and unused values are errors. In `logsql`, `$name`
   * is an ordinary word unless values are given.
   */
  readonly parameters?: Parameters | undefined
}

const parseOptions = new Options<ParseOptions>({
  dialect: { words: { native: true, logsql: true } },
  limits: Options.like<Partial<LogLimits>>(defaultLogLimits),
  functionNames: 'list',
  vocabulary: 'object',
  parameters: 'object',
})

/**
 * Checks the argument types of `call` at run time, for JavaScript callers. Throws SluiceError `options/…` for a wrong
 * type.
 */
export function checkParse(text: unknown, options: unknown, call: string): void {
  checkArgument(typeof text === 'string', text, 'a query text', call)
  parseOptions.check(options, 'a query text')
}

/** The syntax tree of a text, and the errors and warnings in the text. */
export interface Parsed {
  /** The parsed query; `isIncomplete` is set if a part could not be parsed. */
  readonly ast: Query
  /** Errors and warnings in text order. Without errors the query is fully parsed. */
  readonly diagnostics: readonly Diagnostic[]
}

function formsOf(known: StatsForms, names: readonly string[] | undefined): StatsForms {
  if (names === undefined) return known
  const forms = new Map(known)
  for (const name of names) if (!forms.has(name.toLowerCase())) forms.set(name.toLowerCase(), openForm)
  return forms
}

class TooManyErrors extends Error {}

/** Result of parsing a filter, pipe or call alone; `undefined` in place of the part if nothing could be parsed. */
export interface ParsedPart<T> {
  readonly ast: T | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * State shared by nested expansions of user-defined pipes: the current depth and the number of expansions that remain.
 */
interface Nesting {
  readonly depth: number
  readonly left: { pipes: number }
  /** Names of the parameters used so far. */
  readonly used: Set<string>
}

const MAX_EXPANSION_DEPTH = 8

/** Expands a call of a user-defined pipe: parses the text that its definition returns to pipes. */
function expandCall(
  call: CustomPipe,
  options: ParseOptions,
  nesting: Nesting,
  report: (diagnostic: Diagnostic) => void,
): void {
  const { name } = call.definition
  if (nesting.depth === MAX_EXPANSION_DEPTH || nesting.left.pipes-- <= 0) {
    const reason = 'too many pipes stand for pipes that stand for others'
    report(logDiagnostic('pipe-failed', { name, reason }, call.span))
    return
  }
  const expanded = expand(call, printerOf(options.dialect ?? 'native'), (text) => {
    const deeper = { ...nesting, depth: nesting.depth + 1 }
    const { ast, diagnostics } = read(`* | ${text}`, options, (parser) => parser.readQuery, deeper)
    return { pipes: ast?.pipes ?? [], diagnostics }
  })
  if ('fault' in expanded) report(expanded.fault)
  else call.expansion = expanded.pipes
}

/** Parses a text by one grammar rule, and returns the result with diagnostics; never throws. */
function read<T>(
  text: string,
  options: ParseOptions,
  ruleOf: (parser: LogParser) => Rule<[], T | undefined>,
  nesting?: Nesting,
): ParsedPart<T> {
  const limits = { ...defaultLogLimits, ...options.limits }
  const { vocabulary = standardVocabulary } = options
  const calls: CustomPipe[] = []
  const diagnostics: Diagnostic[] = []
  const lengthBytes = text.length > limits.textBytes ? text.length : utf8Length(text)
  if (lengthBytes > limits.textBytes) {
    const data = { limitBytes: limits.textBytes, lengthBytes }
    return { ast: undefined, diagnostics: [logDiagnostic('text-too-long', data, span(0, text.length))] }
  }
  const around = nesting ?? { depth: 0, left: { pipes: limits.pipes }, used: new Set() }
  const binding = new Binding(options.parameters ?? {}, around.used)
  const report = (diagnostic: Diagnostic): void => {
    const converted = binding.aboutValue(diagnostic)
    if (converted !== undefined) add(converted)
  }
  const add = (diagnostic: Diagnostic): void => {
    if (diagnostics.length >= limits.errors) throw new TooManyErrors()
    diagnostics.push(diagnostic)
  }
  let ast: T | undefined
  try {
    // The parser must be built before scanning, because building registers the keywords that `scan` recognizes.
    const parser = logParser()
    const dialect = options.dialect ?? 'native'
    const hasParameters = dialect === 'native' || options.parameters !== undefined
    const { tokens, faults } = scan(text, vocabulary.customPipes, hasParameters)
    for (const fault of faults)
      report(logDiagnostic('bad-escape', { reason: fault.reason }, span(fault.start, fault.end)))
    const session: LogSession = {
      source: text,
      dialect,
      limits,
      stats: formsOf(vocabulary.stats, options.functionNames),
      running: vocabulary.running,
      math: vocabulary.math,
      customPipes: vocabulary.customPipes,
      onCustomPipe: (pipe) => calls.push(pipe),
      resultName: (result) => defaultResultName(result, printerOf(dialect)),
      printed: (text) => printerOf(dialect).text(text),
      report,
      parameter: (name, where) => binding.at(name, where, report),
    }
    ast = parser.read(ruleOf(parser), binding.bind(tokens, report), session)
    for (const call of calls) expandCall(call, options, around, report)
    if (nesting === undefined && !diagnostics.some(isError)) binding.unused(span(0, text.length)).forEach(report)
  } catch (error) {
    if (error instanceof SyntaxFault) diagnostics.push(error.diagnostic)
    else if (error instanceof TooManyErrors) {
      diagnostics.push(logDiagnostic('too-many-errors', { limit: limits.errors }, span(text.length, text.length)))
    } else if (error instanceof RangeError) {
      diagnostics.push(logDiagnostic('too-deep', { limit: limits.depth }, span(0, text.length)))
    } else throw error
  }
  return { ast, diagnostics: withoutEchoes(diagnostics.toSorted(byPosition)) }
}

const readWhole = (parser: LogParser): Rule<[], Query> => parser.readQuery

/**
 * Parses a query in time linear in the length of the text. Never throws: errors are in `diagnostics`, and parsing
 * continues after a part that could not be parsed.
 */
export function parse(text: string, options: ParseOptions = {}): Parsed {
  checkParse(text, options, "parse('level:error')")
  const { ast, diagnostics } = read(text, options, readWhole)
  const errorsOf = (other: string): readonly Diagnostic[] => read(other, options, readWhole).diagnostics.filter(isError)
  const nothing: Query = { options: [], filter: undefined, pipes: [], isIncomplete: true, span: span(0, text.length) }
  return { ast: ast ?? nothing, diagnostics: withFixes(text, diagnostics, errorsOf) }
}

/** Parses a filter without pipes. */
export function parseFilter(text: string, options: ParseOptions = {}): ParsedPart<Filter> {
  checkParse(text, options, "parseFilter('level:error')")
  return read(text, options, (parser) => parser.readFilter)
}

/** Parses one pipe, without the leading `|`. */
export function parsePipe(text: string, options: ParseOptions = {}): ParsedPart<Pipe> {
  return read(text, options, (parser) => parser.readPipe)
}

/** Parses one call of a stats function. */
export function parseStatsCall(text: string, options: ParseOptions = {}): ParsedPart<StatsCall> {
  return read(text, options, (parser) => parser.readStatsCall)
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  return startOf(a) - startOf(b)
}

function startOf({ origin }: Diagnostic): number {
  return origin.kind === 'text' ? origin.span.start : 0
}
