import { isDeepStrictEqual } from 'node:util'
import { spanOf, type Diagnostic } from '../../src/base/index.ts'
import {
  parsePromql,
  prettyPromql,
  printPromql,
  renderPromqlError,
  STABLE_FEATURES,
  toParseTree,
} from '../../src/lang/promql/index.ts'
import { checkAll, checkFile, type Outcome } from './outcome.ts'
import { printHistogramNotation } from '../../src/alerting/testing/promtool/series/histogram-notation.ts'
import { parseSeriesNotation, type SeriesPoint } from '../../src/alerting/testing/promtool/series/notation.ts'

interface Check {
  readonly name: string
  readonly got: unknown
  readonly wanted: unknown
}

/** Returns a description of the checks that fail; `undefined` if none does. */
function failureOf(checks: readonly Check[]): string | undefined {
  const wrong = checks.filter((check) => !isDeepStrictEqual(check.got, check.wanted))
  if (wrong.length === 0) return undefined
  const texts = wrong.map(({ name, got, wanted }) => `\n  ${name}\n  got    ${show(got)}\n  wanted ${show(wanted)}`)
  return texts.join('')
}

/** Runs a check for every case of a file; `textOf` returns the query text of a case. */
async function checkCases<C>(
  directory: string,
  file: string,
  textOf: (item: C) => string,
  checksOf: (item: C) => readonly Check[],
): Promise<readonly Outcome[]> {
  return checkFile<C>(directory, file, ({ vectors }) => {
    const named = vectors.map((item, i) => ({ id: `entry ${i}`, item }))
    return checkAll(file, named, ({ item }) => {
      const failure = failureOf(checksOf(item))
      return failure === undefined ? undefined : { failure: `${shorten(textOf(item), 200)}${failure}` }
    })
  })
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

function show(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'undefined', 600)
}

function messagesOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => diagnostic.message).join('; ')
}

interface ValidCase {
  readonly expr: string
  readonly printed: string
  /** Absent if equal to the canonical form. */
  readonly pretty?: string
  readonly type: string
  readonly stable: boolean
  /** Absent if the tree cannot be represented in JSON. */
  readonly ast?: unknown
}

function printedAgain(text: string): string {
  const { ast, diagnostics } = parsePromql(text)
  return ast === undefined ? messagesOf(diagnostics) : printPromql(ast)
}

function validChecks(item: ValidCase): readonly Check[] {
  const { ast, diagnostics } = parsePromql(item.expr)
  if (ast === undefined) return [{ name: 'accepted', got: messagesOf(diagnostics), wanted: '' }]
  const stable = parsePromql(item.expr, { features: STABLE_FEATURES })
  return [
    { name: 'type', got: ast.valueType, wanted: item.type },
    { name: 'printed', got: printPromql(ast), wanted: item.printed },
    { name: 'pretty', got: prettyPromql(ast), wanted: item.pretty ?? item.printed },
    { name: 'printed, read and printed again', got: printedAgain(item.printed), wanted: item.printed },
    { name: 'accepted with every flag off', got: stable.ast !== undefined, wanted: item.stable },
    ...(item.ast === undefined
      ? []
      : [{ name: 'tree', got: JSON.parse(JSON.stringify(toParseTree(ast))) as unknown, wanted: item.ast }]),
  ]
}

interface ErrorRange {
  readonly start: number
  readonly end: number
  readonly msg: string
}

interface InvalidCase {
  readonly expr: string
  readonly error: string
  /** Expected errors, at most the first `SHOWN_ERRORS` of them. */
  readonly errors: readonly ErrorRange[]
  readonly errorCount?: number
}

const SHOWN_ERRORS = 5

/**
 * Returns the number of bytes before an offset. The JSON file has U+FFFD, which takes three bytes, in place of each
 * invalid byte of the original text, which took one.
 */
function byteOffset(text: string, offset: number): number {
  const before = text.slice(0, offset)
  return new TextEncoder().encode(before).length - 2 * (before.split('\ufffd').length - 1)
}

function rangeOf(diagnostic: Diagnostic, text: string): ErrorRange {
  const place = spanOf(diagnostic.origin) ?? { start: 0, end: 0 }
  return { start: byteOffset(text, place.start), end: byteOffset(text, place.end), msg: diagnostic.message }
}

function invalidChecks(item: InvalidCase): readonly Check[] {
  const { diagnostics } = parsePromql(item.expr, { features: { fillModifiers: false } })
  const first = diagnostics[0]
  return [
    { name: 'error', got: first && renderPromqlError(first, item.expr), wanted: item.error },
    {
      name: 'errors',
      got: diagnostics.slice(0, SHOWN_ERRORS).map((diagnostic) => rangeOf(diagnostic, item.expr)),
      wanted: item.errors,
    },
    { name: 'number of errors', got: diagnostics.length, wanted: item.errorCount ?? item.errors.length },
  ]
}

interface SeriesCase {
  readonly input: string
  readonly labels?: Readonly<Record<string, string>>
  readonly values?: readonly (number | string | null)[]
  readonly error?: string
}

function showPoint(point: SeriesPoint): number | string | null {
  switch (point.kind) {
    case 'omitted':
      return null
    case 'stale':
      return 'stale'
    case 'float':
      return point.value
    case 'histogram':
      return printHistogramNotation(point.histogram)
  }
}

function seriesChecks(item: SeriesCase): readonly Check[] {
  const { series, diagnostics } = parseSeriesNotation(item.input)
  const error = diagnostics[0] && renderPromqlError(diagnostics[0], item.input)
  return [
    { name: 'error', got: error, wanted: item.error },
    { name: 'labels', got: series && { ...series.labels.toRecord() }, wanted: item.labels },
    { name: 'values', got: series?.points.map((point) => showPoint(point)), wanted: item.values },
  ]
}

interface PrettyCase {
  readonly expr: string
  readonly pretty: string
}

function prettyChecks(item: PrettyCase): readonly Check[] {
  const { ast, diagnostics } = parsePromql(item.expr)
  const got = ast === undefined ? messagesOf(diagnostics) : prettyPromql(ast, 10)
  return [{ name: 'pretty at width 10', got, wanted: item.pretty }]
}

interface ListedQuery {
  readonly query: string
  /**
   * True if the list expects an error. Such queries are not checked: newer versions accept any text as a label name.
   */
  readonly shouldFail: boolean
}

function listedChecks({ query, shouldFail }: ListedQuery): readonly Check[] {
  return shouldFail ? [] : [{ name: 'accepted', got: messagesOf(parsePromql(query).diagnostics), wanted: '' }]
}

/** Checks the PromQL parser and printers against all files of vectors in the directory. */
export async function checkPromqlParse(directory: string): Promise<readonly Outcome[]> {
  const exprOf = ({ expr }: { readonly expr: string }): string => expr
  return [
    ...(await checkCases<ValidCase>(directory, 'parse-valid.json', exprOf, validChecks)),
    ...(await checkCases<InvalidCase>(directory, 'parse-invalid.json', exprOf, invalidChecks)),
    ...(await checkCases<SeriesCase>(directory, 'series-desc.json', ({ input }) => input, seriesChecks)),
    ...(await checkCases<PrettyCase>(directory, 'pretty-width10.json', exprOf, prettyChecks)),
    ...(await checkCases<ListedQuery>(directory, 'compliance-queries.json', ({ query }) => query, listedChecks)),
  ]
}
