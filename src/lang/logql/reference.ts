import { spanOf, type Diagnostic } from '../../base/index.ts'
import { quoteText } from '../promql/text/go-text.ts'

/**
 * Union of the parameters of all diagnostics in `diagnostics.ts`. A message reads only the parameters of its own code.
 */
interface Data {
  readonly stage?: string
  readonly reason: string
  readonly name: string
  readonly text: string
  readonly fault: string
  readonly found: string
  readonly label?: string
  readonly path: string
  readonly value: string | number
  readonly op: string
  readonly side: string
  readonly of?: 'parser' | 'label_replace'
  readonly as: string
  readonly isRange: boolean
  readonly isWhole: boolean
  readonly hasStages: boolean
  readonly bytes: number
  readonly limit: number
  readonly reference: { readonly found: string; readonly expected: readonly string[]; readonly losesLine: boolean }
}

const NO_STREAM =
  'queries require at least one regexp or equality matcher that does not have an empty-compatible value. For instance, app=~".*" does not meet this requirement, but app=~".+" will'

function syntaxError({ reference: { found, expected } }: Data): string {
  // Loki's messages list at most four expected tokens.
  const list = expected.length === 0 || expected.length > 4 ? '' : `, expecting ${expected.join(' or ')}`
  return `syntax error: unexpected ${found}${list}`
}

function inStage({ stage }: Data, text: string): string {
  return stage === undefined ? text : `stage '${stage}' : ${text}`
}

function badRegexp(d: Data): string {
  // RE2 quotes the invalid part, here the empty string after the backslash.
  const part = d.reason === 'trailing backslash at end of expression' ? ': ``' : ''
  const text = `error parsing regexp: ${d.reason}${part}`
  if (d.of === undefined) return inStage(d, text)
  return d.of === 'parser' ? `invalid regexp parser: ${text}` : `invalid regex in label_replace: ${text}`
}

function badPattern(d: Data): string {
  const texts: Readonly<Record<string, string>> = {
    empty: 'syntax error: unexpected $end, expecting IDENTIFIER or LITERAL',
    'no-capture': 'at least one capture is required',
    named: `named captures are not allowed: found '${d.found}'`,
    adjacent: `found consecutive capture '${d.found}': invalid expression`,
    duplicate: `duplicate capture name (${d.found}): invalid expression`,
  }
  const text = texts[d.fault] ?? ''
  return d.stage === undefined ? `invalid pattern parser: ${text}` : inStage(d, text)
}

function badTemplate(d: Data): string {
  return inStage(
    d,
    `${d.label === undefined ? 'invalid line template' : `invalid template for label '${d.label}'`}: ${d.reason}`,
  )
}

function badParameter({ name, text, isWhole }: Data): string {
  return isWhole ? `invalid parameter (must be greater than 0) ${name}(${text}` : `invalid parameter ${name}(${text},`
}

const messages: Readonly<Record<string, (d: Data) => string>> = {
  'too-long': ({ bytes, limit }) => `input size too long (${bytes} > ${limit})`,
  'bad-token': ({ fault }) => fault,
  unexpected: syntaxError,
  'unknown-function': syntaxError,
  'bad-number': ({ as, text, fault }) =>
    `unable to parse ${as} as a float: strconv.ParseFloat: parsing ${quoteText(text)}: ${fault}`,
  'no-stream': () => NO_STREAM,
  'bad-regexp': badRegexp,
  'regexp-groups': ({ fault, name }) =>
    `invalid regexp parser: ${fault === 'unnamed' ? 'at least one named capture must be supplied' : `duplicate extracted label name '${name}'`}`,
  'bad-pattern': badPattern,
  'bad-path': (d) => inStage(d, `cannot parse expression [${d.path}]: ${d.reason}`),
  'bad-ip': (d) => inStage(d, `ip: invalid pattern: ${quoteText(String(d.value))}`),
  'ip-operator': (d) => inStage(d, 'ip: invalid operation'),
  'bad-template': badTemplate,
  'label-format-twice': (d) =>
    inStage(d, `multiple label name '${d.label ?? ''}' not allowed in a single format operation`),
  'label-format-error': (d) => inStage(d, `${d.label ?? ''} cannot be formatted`),
  'needs-unwrap': ({ name }) => `invalid aggregation ${name} without unwrap`,
  'has-unwrap': ({ name }) => `invalid aggregation ${name} with unwrap`,
  'no-grouping': ({ name }) => `grouping not allowed for ${name} aggregation`,
  'sort-grouping': () => `sort and sort_desc doesn't allow grouping by `,
  'no-parameter': ({ name }) => `parameter required for operation ${name}`,
  'extra-parameter': ({ name, text, isRange }) =>
    isRange
      ? `parameter ${text} not supported for operation ${name}`
      : `unsupported parameter for operation ${name}(${text},`,
  'bad-quantile': ({ name, text, fault }) =>
    `invalid parameter for operation ${name}: strconv.ParseFloat: parsing ${quoteText(text)}: ${fault}`,
  'bad-parameter': badParameter,
  'number-argument': ({ name }) =>
    NEEDS_SELECTOR.has(name) ? NO_STREAM : `${name} takes a metric query, not a number`,
  'logs-operand': ({ side, op, hasStages }) =>
    `unexpected type for ${side} leg of binary operation (${op}): *syntax.${hasStages ? 'PipelineExpr' : 'MatchersExpr'}`,
  'number-operand': ({ side, op, value }) =>
    `unexpected literal for ${side} leg of logical/set binary operation (${op}): ${Number(value).toFixed(6)}`,
}

/** Aggregations of a number, for which Loki's message is its hint that a query needs a selector. */
const NEEDS_SELECTOR: ReadonlySet<string> = new Set(['sum', 'avg', 'min', 'max', 'count', 'stddev', 'stdvar'])

/** Codes of the messages that start with a position. */
const PLACED: ReadonlySet<string> = new Set(['bad-token', 'unexpected', 'unknown-function'])

/**
 * Returns the position of a diagnostic as Loki reports it: the column in characters, and line 0 for the tokens of
 * `losesLine`.
 */
function positionOf({ origin, code, data }: Diagnostic, text: string): string {
  const start = spanOf(origin)?.start ?? 0
  // Loki reports no position for an empty text, nor for semantic errors.
  if (text === '' || !PLACED.has(code.replace('logql/', ''))) return ' : '
  const { reference, kind } = data as unknown as Partial<Data> & { readonly kind?: string }
  const before = text.slice(0, start).split('\n')
  const line = reference?.losesLine === true || kind === 'range' ? 0 : before.length
  return ` at line ${line}, col ${Array.from(before.at(-1) ?? '').length + 1}: `
}

/** Returns Loki's error message for an invalid query, or Sluice's own message for codes that Loki does not have. */
export function renderLogqlError(diagnostic: Diagnostic, text: string): string {
  const data = diagnostic.data as unknown as Data
  const reference = messages[diagnostic.code.replace('logql/', '')]?.(data) ?? diagnostic.message
  return `parse error${positionOf(diagnostic, text)}${reference}`
}
