import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { printHistogramNotation } from './series/histogram-notation.ts'
import { parseSeriesNotation, type SeriesPoint } from './series/notation.ts'

/** What one file of vectors came to. A case passes when every one of its checks does. */
export interface FileOutcome {
  readonly file: string
  readonly passed: number
  readonly failed: number
  /** Reasons why checks were left out, with how many. */
  readonly skipped: ReadonlyMap<string, number>
  readonly failures: readonly string[]
}

interface Check {
  readonly name: string
  readonly got: unknown
  readonly wanted: unknown
}

class Tally {
  readonly #file: string
  readonly #skipped = new Map<string, number>()
  readonly #failures: string[] = []
  #passed = 0
  #failed = 0

  constructor(file: string) {
    this.#file = file
  }

  case(input: string, checks: readonly Check[]): void {
    const wrong = checks.filter((check) => !isDeepStrictEqual(check.got, check.wanted))
    if (wrong.length === 0) {
      this.#passed++
      return
    }
    this.#failed++
    for (const { name, got, wanted } of wrong) {
      this.#failures.push(`${input.slice(0, 200)}\n  ${name}\n  got    ${show(got)}\n  wanted ${show(wanted)}`)
    }
  }

  skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1)
  }

  outcome(): FileOutcome {
    const { length } = this.#failures
    const failures = length > 50 ? [...this.#failures.slice(0, 50), `… and ${length - 50} more`] : this.#failures
    return { file: this.#file, passed: this.#passed, failed: this.#failed, skipped: this.#skipped, failures }
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}

function readCases(directory: string, file: string): unknown {
  return JSON.parse(readFileSync(join(directory, file), 'utf8'))
}

function messagesOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => diagnostic.message).join('; ')
}

interface ValidCase {
  readonly expr: string
  readonly printed: string
  /** Only where it differs from the canonical form. */
  readonly pretty?: string
  readonly type: string
  readonly stable: boolean
  /** Left out where the tree cannot be told in JSON. */
  readonly ast?: unknown
}

function printedAgain(text: string): string {
  const { ast, diagnostics } = parsePromql(text)
  return ast === undefined ? messagesOf(diagnostics) : printPromql(ast)
}

function checkValid(directory: string): FileOutcome {
  const tally = new Tally('parse-valid.json')
  for (const item of readCases(directory, 'parse-valid.json') as readonly ValidCase[]) {
    const { ast, diagnostics } = parsePromql(item.expr)
    if (ast === undefined) {
      tally.case(item.expr, [{ name: 'accepted', got: messagesOf(diagnostics), wanted: '' }])
      continue
    }
    const stable = parsePromql(item.expr, { features: STABLE_FEATURES })
    const checks: Check[] = [
      { name: 'type', got: ast.valueType, wanted: item.type },
      { name: 'printed', got: printPromql(ast), wanted: item.printed },
      { name: 'pretty', got: prettyPromql(ast), wanted: item.pretty ?? item.printed },
      { name: 'printed, read and printed again', got: printedAgain(item.printed), wanted: item.printed },
      { name: 'accepted with every flag off', got: stable.ast !== undefined, wanted: item.stable },
    ]
    if (item.ast === undefined) tally.skip('the tree cannot be told in JSON')
    else checks.push({ name: 'tree', got: JSON.parse(JSON.stringify(toParseTree(ast))), wanted: item.ast })
    tally.case(item.expr, checks)
  }
  return tally.outcome()
}

interface ErrorRange {
  readonly start: number
  readonly end: number
  readonly msg: string
}

interface InvalidCase {
  readonly expr: string
  readonly error: string
  /** The first five. */
  readonly errors: readonly ErrorRange[]
  readonly errorCount?: number
}

const SHOWN_ERRORS = 5

/**
 * Bytes before an offset. A byte that is no UTF-8 stands in the JSON file as U+FFFD: one character, three bytes,
 * where the text it tells of had one byte.
 */
function byteOffset(text: string, offset: number): number {
  const before = text.slice(0, offset)
  return Buffer.byteLength(before, 'utf8') - 2 * (before.split('\ufffd').length - 1)
}

function rangeOf(diagnostic: Diagnostic, text: string): ErrorRange {
  const place = spanOf(diagnostic.origin) ?? { start: 0, end: 0 }
  return { start: byteOffset(text, place.start), end: byteOffset(text, place.end), msg: diagnostic.message }
}

function checkInvalid(directory: string): FileOutcome {
  const tally = new Tally('parse-invalid.json')
  for (const item of readCases(directory, 'parse-invalid.json') as readonly InvalidCase[]) {
    const { diagnostics } = parsePromql(item.expr, { features: { fillModifiers: false } })
    const first = diagnostics[0]
    const checks = [
      { name: 'error', got: first && renderPromqlError(first, item.expr), wanted: item.error },
      {
        name: 'errors',
        got: diagnostics.slice(0, SHOWN_ERRORS).map((diagnostic) => rangeOf(diagnostic, item.expr)),
        wanted: item.errors,
      },
      { name: 'number of errors', got: diagnostics.length, wanted: item.errorCount ?? item.errors.length },
    ]
    tally.case(item.expr, checks)
  }
  return tally.outcome()
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

function checkSeries(directory: string): FileOutcome {
  const tally = new Tally('series-desc.json')
  for (const item of readCases(directory, 'series-desc.json') as readonly SeriesCase[]) {
    const { series, diagnostics } = parseSeriesNotation(item.input)
    const error = diagnostics[0] && renderPromqlError(diagnostics[0], item.input)
    tally.case(item.input, [
      { name: 'error', got: error, wanted: item.error },
      { name: 'labels', got: series && { ...series.labels.toRecord() }, wanted: item.labels },
      { name: 'values', got: series?.points.map((point) => showPoint(point)), wanted: item.values },
    ])
  }
  return tally.outcome()
}

interface PrettyCase {
  readonly expr: string
  readonly pretty: string
}

function checkNarrow(directory: string): FileOutcome {
  const tally = new Tally('pretty-width10.json')
  for (const item of readCases(directory, 'pretty-width10.json') as readonly PrettyCase[]) {
    const { ast, diagnostics } = parsePromql(item.expr)
    const got = ast === undefined ? messagesOf(diagnostics) : prettyPromql(ast, 10)
    tally.case(item.expr, [{ name: 'pretty at width 10', got, wanted: item.pretty }])
  }
  return tally.outcome()
}

/** Runs every vector for the reader and the printers that lies in the directory. */
export function checkPromqlParse(directory: string): readonly FileOutcome[] {
  return [checkValid(directory), checkInvalid(directory), checkSeries(directory), checkNarrow(directory)]
}
