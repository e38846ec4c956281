import {
  defineDiagnostics,
  insertAt,
  nearestNames,
  replaceWith,
  type Diagnostic,
  type Fix,
  type Span,
} from '../../base/index.ts'
import { seriesSignatures, type SeriesType } from '../../plan/index.ts'
import { quoteText } from './text/go-text.ts'

/** Returns the name of a type as messages show it. */
export function typeName(type: SeriesType): string {
  return type === 'vector' ? 'instant vector' : type === 'matrix' ? 'range vector' : type
}

const POSITIONS = 'an instant vector selector or range vector selector or a subquery'

function removeText(span: Span, title: string): Fix {
  return { title, edits: [{ span, text: '' }], isSafe: true }
}

interface Unexpected {
  readonly found: string
  /** Name of the construct that was being parsed when the error occurred; empty if messages have no name for it. */
  readonly context: string
  readonly expected: string
}

function unexpectedMessage(d: Unexpected): string {
  const context = d.context === '' ? '' : ` in ${d.context}`
  return `unexpected ${d.found}${context}${d.expected === '' ? '' : `, expected ${d.expected}`}`
}

/** Returns a note and fixes for common mistakes. */
function unexpectedHelp(d: Unexpected): { why?: string; fixes?: (span: Span) => readonly Fix[] } {
  if (d.found === '"="' && d.context === '') {
    return {
      why: 'Values are compared with `==`; `=` stands only in label matchers.',
      fixes: (at) => [replaceWith(at, '==')],
    }
  }
  if (d.found === '<op:==>' && d.context === 'label matching') {
    return { why: 'Labels are matched with `=`, `!=`, `=~` or `!~`.', fixes: (at) => [replaceWith(at, '=')] }
  }
  if (d.context === 'label matching' && d.expected === 'string') {
    return { why: 'A matcher is a label, one of `=` `!=` `=~` `!~`, and a quoted text.' }
  }
  if (d.context === 'label matching' && d.expected === '"," or "}"') {
    return { why: 'Matchers are separated by commas.', fixes: (at) => [insertAt(at.start, ', ')] }
  }
  return {}
}

const ENABLE = 'This part of the language is experimental; it was switched off for this query.'

function nearNote(name: string, known: readonly string[]): readonly string[] {
  const near = nearestNames(name, known)
  return near.length === 0 ? [] : [`Did you mean ${near.map((other) => `"${other}"`).join(', ')}?`]
}

export const promqlDiagnostic = defineDiagnostics('promql', {
  // Reading
  'no-expression': () => ({ message: 'no expression found in input', why: 'Write a metric name, a number or a call.' }),
  'bad-token': (d: { message: string }) => ({
    message: d.message,
    ...(d.message === 'unclosed left parenthesis' && {
      fixes: (at: Span) => [insertAt(at.start, ')', 'Close the parenthesis')],
    }),
    ...(d.message === 'unclosed left bracket' && {
      fixes: (at: Span) => [insertAt(at.start, ']', 'Close the bracket')],
    }),
    ...(d.message === 'unexpected end of input inside braces' && {
      fixes: (at: Span) => [insertAt(at.start, '}', 'Close the braces')],
    }),
  }),
  unexpected: (d: Unexpected) => ({ message: unexpectedMessage(d), ...unexpectedHelp(d) }),
  'too-deep': (d: { limit: number }) => ({
    message: `the expression is nested more than ${d.limit} levels deep`,
    why: 'Nesting is limited so that no query can exhaust the stack.',
  }),
  'too-tall': (d: { height: number; limit: number }) => ({
    message: `the expression is ${d.height} operations tall, more than the limit of ${d.limit}`,
    why: 'A chain of operators makes one level an operator; split the query or match several series with `=~`.',
  }),
  'too-long': (d: { bytes: number; limit: number }) => ({
    message: `the expression is ${d.bytes} bytes long, more than the limit of ${d.limit}`,
  }),
  'too-many-errors': () => ({ message: 'too many errors, reading stopped' }),

  // Parameters
  'missing-parameter': (d: { name: string; known: readonly string[] }) => ({
    message: `$${d.name} has no value`,
    why: [...nearNote(d.name, d.known), 'Values are passed with the query, by name.'],
    fixes: (at: Span) => nearestNames(d.name, d.known).map((name) => replaceWith(at, `$${name}`)),
  }),
  'unused-parameter': (d: { name: string; used: readonly string[] }) => ({
    message: `a value is given for $${d.name}, which the expression does not have`,
    why: d.used.length === 0 ? 'It has no parameters.' : `It has ${d.used.map((name) => `$${name}`).join(', ')}.`,
  }),
  'bad-parameter': (d: { name: string; reason: string }) => ({
    message: `the value of $${d.name} cannot be used here: ${d.reason}`,
  }),
  'parameter-as-name': (d: { name: string }) => ({
    message: `$${d.name} cannot stand for a name`,
    why: 'A parameter is a value: of a matcher, a range, an offset, or a number or string.',
  }),

  // Literals and lists
  'bad-number': (d: { message: string }) => ({ message: d.message }),
  'bad-duration': (d: { message: string }) => ({
    message: d.message,
    why: 'Units are y w d h m s ms, each at most once, the biggest first.',
  }),
  'bad-grouping-label': (d: { label: string }) => ({
    message: `invalid label name for grouping: ${quoteText(d.label)}`,
  }),
  'bad-regex': (d: { message: string }) => ({
    message: `error parsing regexp: ${d.message}`,
    why: 'Patterns are RE2 and match the whole value; there are no look-arounds and back-references.',
  }),
  'trailing-comma': () => ({
    message: 'trailing commas not allowed in function call args',
    fixes: (at) => [removeText(at, 'Remove the comma')],
  }),

  // Calls and aggregations
  'unknown-function': (d: { name: string }) => ({
    message: `unknown function with name ${quoteText(d.name)}`,
    fixes: (at) => nearestNames(d.name, seriesSignatures.keys()).map((name) => replaceWith(at, name)),
  }),
  'function-off': (d: { name: string }) => ({ message: `function ${quoteText(d.name)} is not enabled`, why: ENABLE }),
  'aggregation-off': (d: { name: string }) => ({ message: `${d.name}() is experimental and not enabled`, why: ENABLE }),
  'no-aggregation-arguments': () => ({ message: 'no arguments for aggregate expression provided' }),
  'aggregation-arguments': (d: { wanted: number; got: number }) => ({
    message: `wrong number of arguments for aggregate expression provided, expected ${d.wanted}, got ${d.got}`,
  }),
  'argument-count': (d: { name: string; wanted: string; got: number }) => ({
    message: `expected ${d.wanted} argument(s) in call to ${quoteText(d.name)}, got ${d.got}`,
  }),
  'wrong-type': (d: { wanted: SeriesType; place: string; got: SeriesType; isSelector: boolean }) => ({
    message: `expected type ${typeName(d.wanted)} in ${d.place}, got ${typeName(d.got)}`,
    ...(d.wanted === 'matrix' &&
      d.got === 'vector' && {
        why: 'A range in brackets makes a range vector; after anything but a selector it needs a colon.',
        fixes: (at: Span) => [insertAt(at.end, d.isSelector ? '[5m]' : '[5m:]')],
      }),
    ...(d.wanted === 'vector' && d.got === 'scalar' && { why: '`vector(…)` makes an instant vector of a number.' }),
  }),
  'info-name': () => ({ message: 'expected label selectors only, got vector selector instead' }),
  'info-selector': () => ({ message: 'expected label selectors only' }),

  // Ranges, offsets, times
  'duration-range': () => ({ message: 'duration out of range', why: 'The longest duration is about 292 years.' }),
  'duration-positive': () => ({ message: 'duration must be greater than 0' }),
  'division-by-zero': () => ({ message: 'division by zero' }),
  'modulo-by-zero': () => ({ message: 'modulo by zero' }),
  'duration-off': () => ({ message: 'experimental duration expression is not enabled', why: ENABLE }),
  'range-place': () => ({
    message: 'ranges only allowed for vector selectors',
    why: 'Over any other expression write a subquery, with a colon: `(…)[5m:]`.',
    fixes: (at) => [insertAt(at.end - 1, ':', 'Make it a subquery')],
  }),
  'offset-before-range': () => ({
    message: 'no offset modifiers allowed before range',
    why: 'The offset comes after the range: `metric[5m] offset 1h`.',
  }),
  'at-before-range': () => ({
    message: 'no @ modifiers allowed before range',
    why: 'The time comes after the range: `metric[5m] @ 1700000000`.',
  }),
  'subquery-type': (d: { got: SeriesType }) => ({
    message: `subquery is only allowed on instant vector, got ${d.got} instead`,
  }),
  'offset-place': () => ({ message: `offset modifier must be preceded by ${POSITIONS}` }),
  'offset-twice': () => ({ message: 'offset may not be set multiple times' }),
  'at-place': () => ({ message: `@ modifier must be preceded by ${POSITIONS}` }),
  'at-twice': () => ({ message: '@ <timestamp> may not be set multiple times' }),
  'at-range': (d: { value: string }) => ({ message: `timestamp out of bounds for @ modifier: ${d.value}` }),
  'extension-off': (d: { word: string }) => ({
    message: `${d.word} modifier is experimental and not enabled`,
    why: ENABLE,
  }),
  'extension-both': () => ({ message: 'anchored and smoothed modifiers cannot be used together' }),
  'extension-subquery': (d: { word: string }) => ({ message: `${d.word} modifier is not supported for subqueries` }),
  'extension-place': (d: { word: string }) => ({
    message: `${d.word} modifier not implemented`,
    why: 'It follows a selector or a range selector.',
  }),

  // Selectors
  'empty-selector': () => ({
    message: 'vector selector must contain at least one non-empty matcher',
    why: 'A selector of every series is more often a slip than intended.',
  }),
  'name-twice': (d: { name: string; other: string }) => ({
    message: `metric name must not be set twice: ${quoteText(d.name)} or ${quoteText(d.other)}`,
  }),

  // Operators
  'bool-place': () => ({ message: 'bool modifier can only be used on comparison operators' }),
  'bool-missing': (d: { op: string }) => ({
    message: 'comparisons between scalars must use BOOL modifier',
    why: 'Between two numbers there is nothing to filter: `bool` gives 0 or 1.',
    fixes: (at) => [insertAt(at.start + d.op.length, ' bool')],
  }),
  'label-twice': (d: { label: string }) => ({
    message: `label ${quoteText(d.label)} must not occur in ON and GROUP clause at once`,
  }),
  'operand-type': () => ({ message: 'binary expression must contain only scalar and instant vector types' }),
  'unary-type': (d: { got: SeriesType }) => ({
    message: `unary expression only allowed on expressions of type scalar or instant vector, got "${typeName(d.got)}"`,
  }),
  'matching-place': () => ({ message: 'vector matching only allowed between instant vectors' }),
  'fill-off': () => ({ message: 'binop fill modifiers are experimental and not enabled', why: ENABLE }),
  'fill-place': () => ({ message: 'filling in missing series only allowed between instant vectors' }),
  'fill-set': () => ({ message: 'filling in missing series not allowed for set operators' }),
  'set-grouping': (d: { op: string }) => ({ message: `no grouping allowed for "${d.op}" operation` }),
  'set-cardinality': () => ({ message: 'set operations must always be many-to-many' }),
  'set-scalar': (d: { op: string }) => ({
    message: `set operator "${d.op}" not allowed in binary scalar expression`,
    why: 'Sets are of series; `vector(…)` makes an instant vector of a number.',
  }),

  // Structured queries
  'condition-label': () => ({ message: 'a condition needs the name of a label as its key' }),
  'condition-operator': (d: { op: string; known: readonly string[] }) => ({
    message: `the operator "${d.op}" cannot be applied to a label`,
    why: nearNote(d.op, d.known),
  }),
  'pipeline-source': () => ({ message: 'a metric pipeline needs exactly one of metric, function and template' }),
  'pipeline-template': (d: { name: string; known: readonly string[] }) => ({
    message: `there is no sub-pipeline named "${d.name}"`,
    why: nearNote(d.name, d.known),
  }),
  'pipeline-cycle': (d: { name: string }) => ({ message: `the sub-pipeline "${d.name}" contains itself` }),
  'pipeline-size': (d: { limit: number }) => ({
    message: `the metric pipeline unfolds to more than ${d.limit} operations`,
    why: 'Templates that use templates can grow without bound.',
  }),
  'pipeline-function': (d: { name: string; known: readonly string[] }) => ({
    message: `there is no metric function named "${d.name}"`,
    why: nearNote(d.name, d.known),
  }),
  'pipeline-inputs': (d: { name: string; wanted: string; got: number }) => ({
    message: `"${d.name}" is applied to ${d.wanted}, got ${d.got} nested pipelines`,
  }),
  'pipeline-argument': (d: { name: string; wanted: string; got: string }) => ({
    message: `"${d.name}" wants ${d.wanted} among its args, got ${d.got}`,
  }),
  'pipeline-slot': (d: { name: string; why: string }) => ({
    message: `the template's slot {{${d.name}}} cannot be used here: ${d.why}`,
  }),

  // Selectors on their own
  'no-selector': (d: { text: string }) => ({
    message: `expected a series selector without modifiers, got ${d.text}`,
  }),
})

/** Called with each diagnostic of the parser and the checks. */
export type Report = (diagnostic: Diagnostic) => void
