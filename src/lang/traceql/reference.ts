import { spanOf, type Diagnostic } from '../../base/index.ts'
import { printNumberShort } from '../promql/text/go-text.ts'

/**
 * Union of the parameters of all diagnostics in `diagnostics.ts`. A message reads only the parameters of its own code.
 */
interface Data {
  readonly text: string
  readonly name: string
  readonly fault: string
  readonly pattern: string
  readonly side: string
  readonly value: number
  readonly limit: number
  readonly isIntrinsic: boolean
  readonly isGroup: boolean
  readonly isPrefix?: boolean
  readonly losesLine?: boolean
  readonly reference?: {
    readonly found: string
    readonly expected: readonly string[]
    readonly losesLine: boolean
  }
}

/** The API endpoints that parse queries. Each has its own prefix for error messages. */
export type TraceqlEndpoint = 'search' | 'range' | 'instant'

/** Maximum number of tokens that Tempo's messages list. */
const MAX_LISTED = 4

function syntaxError({ reference }: Data): string {
  const { found = '', expected = [] } = reference ?? {}
  const list = expected.length === 0 || expected.length > MAX_LISTED ? '' : `, expecting ${expected.join(' or ')}`
  return `syntax error: unexpected ${found}${list}`
}

/** Messages that start with a position. */
const located: Readonly<Record<string, (d: Data) => string>> = {
  'bad-token': ({ fault }) => fault,
  unexpected: syntaxError,
  'unknown-name': ({ name }) => `unknown identifier: ${name}`,
  'duration-operand': () => 'duration cannot be used as a scalar operand in metric arithmetic',
}

const others: Readonly<Record<string, (d: Data) => string>> = {
  parent: ({ isIntrinsic }) => `${isIntrinsic ? 'intrinsic (parent)' : 'parent'} not yet supported`,
  'always-set': ({ name, isIntrinsic }) =>
    `${name}=nil is not valid because ${isIntrinsic ? 'intrinsics' : name} cannot be nil`,
  'mixed-types': ({ text }) => `binary operations must operate on the same type: ${text}`,
  'bad-operator': ({ text, isPrefix }) =>
    `illegal operation for the given ${isPrefix === true ? 'type' : 'types'}: ${text}`,
  'bad-regexp': ({ pattern }) => `invalid regex: \`${pattern}\``,
  'no-condition': ({ text }) => `span filter field expressions must resolve to a boolean: ${text}`,
  'no-number': ({ text }) => `aggregate field expressions must resolve to a number type: ${text}`,
  'constant-argument': ({ text, isGroup }) =>
    `${isGroup ? 'grouping' : 'aggregate'} field expressions must reference the span: ${text}`,
  'scalar-side': ({ side }) => `scalar filter ${side} of type (%v) not yet supported`,
  'bad-quantile': ({ value }) => `quantile must be between 0 and 1: ${printNumberShort(value, 6)}`,
  'bad-top': ({ limit }) => `compare() top number of values must be an integer between 1 and ${limit}`,
  'compare-stage': () => '`compare()` cannot be used with second stage functions',
  'bad-limit': () => 'limit must be greater than 0',
  'not-metrics': () => 'not a metrics query',
}

/**
 * Returns the position of a diagnostic as Tempo reports it: the column in characters, and line 0 for the tokens of
 * `losesLine`.
 */
function positionOf({ origin, data }: Diagnostic, text: string): string {
  const start = spanOf(origin)?.start ?? 0
  const { reference, losesLine } = data as unknown as Data
  const before = text.slice(0, start).split('\n')
  const line = losesLine === true || reference?.losesLine === true ? 0 : before.length
  return `line ${line}, col ${Array.from(before.at(-1) ?? '').length + 1}`
}

/** Returns the prefix of an error message. It depends on the endpoint, and for metrics also on the kind of error. */
function prefixOf(endpoint: TraceqlEndpoint, code: string): string {
  if (endpoint === 'search') return 'invalid TraceQL query: '
  if (code === 'not-metrics' || (endpoint === 'range' && code in located)) return ''
  return 'compiling query: '
}

/**
 * Returns the response body with which a Tempo endpoint rejects a query. For codes that Tempo does not have, returns
 * Sluice's own message after the endpoint's prefix.
 */
export function renderTraceqlError(diagnostic: Diagnostic, text: string, endpoint: TraceqlEndpoint = 'search'): string {
  const code = diagnostic.code.replace('traceql/', '')
  const data = diagnostic.data as unknown as Data
  const atPosition = located[code]?.(data)
  const message =
    atPosition === undefined
      ? (others[code]?.(data) ?? diagnostic.message)
      : `parse error at ${positionOf(diagnostic, text)}: ${atPosition}`
  return `${prefixOf(endpoint, code)}${message}`
}
