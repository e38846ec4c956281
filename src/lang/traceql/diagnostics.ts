import { defineDiagnostics, nearestNames, replaceWith, type Fix, type Span } from '../../base/index.ts'
import {
  commentText,
  faultTexts,
  inDoubleQuotes,
  limitTexts,
  quoteFixes,
  unexpectedText,
  type FaultText,
  type Unexpected,
} from '../go-scanner/index.ts'
import { fieldNames, stageNames, type LexFault } from './parser/tokens.ts'

/** Maps spellings of other languages to their TraceQL equivalents. */
const OTHER_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['AND', '&&'],
  ['OR', '||'],
  ['&', '&&'],
])

function misplacedFixes({ found, expected, reference }: Unexpected, at: Span): readonly Fix[] {
  const spelling = OTHER_SPELLINGS.get(found)
  if (spelling !== undefined && expected.includes(spelling)) return [replaceWith(at, spelling)]
  if (found === '=' && reference.found === '=') return [{ ...replaceWith(at, ''), title: 'Write one `=`' }]
  if (reference.found !== 'IDENTIFIER' || !expected.includes('count')) return []
  return nearestNames(found, stageNames).map((name) => replaceWith(at, name))
}

const FAULTS: Readonly<Record<LexFault['kind'], FaultText>> = {
  ...faultTexts,
  comment: commentText('//'),
  number: {
    message: 'This is no number of the language.',
    note: 'Numbers are decimal, such as `1`, `1.5` or `1e3`; whole ones have at most 64 bits.',
  },
  attribute: {
    message: 'This attribute has no name.',
    note: 'An attribute is written `.name`, `span.name`, `resource.name` or, with any characters, `span."a name"`.',
  },
}

/** Parameters of diagnostics about a node: its canonical text. */
interface OfText {
  readonly text: string
}

/** Returns the text with strings in double quotes, because messages put code in back quotes. */
function shown({ text }: OfText): string {
  return text.replaceAll('`', '"')
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  float: 'a number',
  bool: 'a condition',
  string: 'a string',
  duration: 'a duration',
  status: 'a status',
  kind: 'a kind',
  nil: 'nil',
  any: 'an attribute',
}

function typeName(type: string): string {
  return TYPE_NAMES[type] ?? type
}

export const traceqlDiagnostic = defineDiagnostics('traceql', {
  // Limits
  ...limitTexts,
  'too-many-operators': (d: { limit: number }) => ({
    message: `The query has more than ${d.limit} operators, pipes and commas.`,
    why: 'Several values of one field belong in one regular expression.',
  }),

  // Tokens and grammar
  'bad-token': (d: { kind: LexFault['kind']; text: string; fault: string; losesLine: boolean }) => ({
    message: FAULTS[d.kind].message,
    why: FAULTS[d.kind].note,
    fixes: (at) => quoteFixes(d.kind, d.text, at),
  }),
  unexpected: unexpectedText(misplacedFixes),
  'unknown-name': (d: { name: string }) => ({
    message: `\`${d.name}\` is no field and no constant.`,
    why: 'An attribute begins with a dot or a scope, such as `.name` or `span.name`; strings stand in double quotes.',
    fixes: (at) => [
      ...(d.name.startsWith("'") ? [inDoubleQuotes(d.name, at)] : []),
      ...nearestNames(d.name, fieldNames).map((name) => replaceWith(at, name)),
      ...(d.name === 'not' ? [replaceWith(at, '!')] : []),
      ...(/^[\p{L}_]/u.test(d.name) && d.name !== 'not' ? [replaceWith(at, `.${d.name}`)] : []),
    ],
  }),

  // Fields and types
  parent: (_: { isIntrinsic: boolean }) => ({
    message: 'Fields of the parent span cannot be read.',
    why: 'Relations find spans by their parents: `{ parent } > { child }`.',
  }),
  'always-set': (d: { name: string; isIntrinsic: boolean }) => ({
    message: `\`${d.name}\` always has a value, so it is never nil.`,
    why: 'Compare with an empty string, or with `!= nil`, which is always true.',
  }),
  'mixed-types': (d: OfText & { left: string; right: string }) => ({
    message: `\`${shown(d)}\` never holds: the left side is ${typeName(d.left)}, the right side ${typeName(d.right)}.`,
    why: mixedNote(d.left, d.right),
  }),
  'bad-operator': (d: OfText & { op: string; type: string; isPrefix?: boolean }) => ({
    message: `\`${d.op}\` does not take ${typeName(d.type)}, as in \`${shown(d)}\`.`,
  }),
  'bad-regexp': (d: { pattern: string; reason: string }) => ({
    message: `This regular expression is refused: ${d.reason}.`,
    why: 'Patterns are RE2; there are no look-arounds and back-references.',
  }),
  'computed-regexp': (d: { op: string }) => ({
    message: `The right side of \`${d.op}\` must be a string.`,
    why: 'Patterns are compiled once, so they cannot be the value of a field.',
  }),
  'no-condition': (d: OfText & { type: string }) => ({
    message: `The filter needs a condition, not ${typeName(d.type)}.`,
    why: 'Compare the value, as in `{ name = "x" }`, or ask whether it exists: `{ .x != nil }`.',
  }),

  // Stages
  'no-number': (d: OfText & { name: string; type: string }) => ({
    message: `\`${d.name}\` takes a number or a duration, not ${typeName(d.type)}.`,
  }),
  'constant-argument': (d: OfText & { name: string; isGroup: boolean }) => ({
    message: `\`${shown(d)}\` reads nothing of a span.`,
    why: `Name a field, such as \`${d.name}(${d.isGroup ? 'name' : 'duration'})\`.`,
  }),
  'scalar-side': (d: { side: 'lhs' | 'rhs' }) => ({
    message:
      d.side === 'lhs'
        ? 'The left side of a comparison of aggregates must be one aggregate.'
        : 'The right side of a comparison of aggregates must be a number or a duration.',
    why: 'Write `count() > 2` or `avg(duration) > 1s`; several comparisons are several stages.',
  }),

  // Metrics
  'bad-quantile': (d: { value: number }) => ({
    message: `${d.value} is no quantile.`,
    why: 'A quantile lies between 0 and 1, such as 0.95.',
  }),
  'bad-top': (d: { limit: number }) => ({
    message: `\`compare\` lists from 1 to ${d.limit} values of an attribute.`,
  }),
  'bad-window': () => ({
    message: 'The time of the selection ends before it begins.',
    why: 'The last two arguments of `compare` are start and end, in nanoseconds since 1970.',
  }),
  'compare-stage': () => ({ message: 'Nothing can follow `compare`.' }),
  'bad-limit': (d: { name: string }) => ({ message: `\`${d.name}\` needs a number greater than 0.` }),
  'duration-operand': (_: { losesLine: boolean }) => ({
    message: 'Arithmetic of metrics takes numbers, not durations.',
    why: 'Durations in metrics are seconds: write `5` for `5s`.',
  }),
  'not-metrics': () => ({
    message: 'This query finds spans; a metrics query ends in a metrics function.',
    why: 'Add a function, such as `| rate()` or `| count_over_time()`.',
  }),
  'not-search': () => ({
    message: 'This query gives series; a search finds spans.',
    why: 'Leave out the metrics function, or ask the endpoints of metrics.',
  }),
})

function mixedNote(left: string, right: string): string | undefined {
  const types = [left, right]
  if (types.includes('status')) return 'A status is compared with `error`, `ok` or `unset`, without quotes.'
  if (types.includes('kind')) return 'A kind is compared with `server`, `client` and so on, without quotes.'
  if (types.includes('duration') && types.includes('string')) return 'Durations are written without quotes: `5ms`.'
  return undefined
}
