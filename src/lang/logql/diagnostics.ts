import { defineDiagnostics, nearestNames, replaceWith, type Fix, type Span } from '../../base/index.ts'
import {
  commentText,
  faultTexts,
  limitTexts,
  quoteFixes,
  unexpectedText,
  type FaultText,
  type Unexpected,
} from '../go-scanner/index.ts'
import { functionNames, type LexFault } from './parser/tokens.ts'

function misplacedFixes({ found, expected, reference }: Unexpected, at: Span): readonly Fix[] {
  if (reference.found === 'IDENTIFIER' && expected.includes('string')) return [replaceWith(at, JSON.stringify(found))]
  return found === '==' && expected.includes('=') ? [replaceWith(at, '=')] : []
}

const FAULTS: Readonly<Record<LexFault['kind'], FaultText>> = {
  ...faultTexts,
  comment: commentText('#'),
  number: { message: 'This number is incomplete.', note: 'Numbers are written as `1`, `1.5` or `1e3`.' },
  range: {
    message: 'This is no range.',
    note: 'A range is a duration in brackets, such as `[5m]` or `[1h30m]`: whole numbers with the units y w d h m s ms, from large to small.',
  },
}

/** Parameters of diagnostics about a function or a stage. */
interface OfFunction {
  readonly name: string
}

interface OfStage {
  /** The stage with the function, in canonical form. */
  readonly stage: string
}

export type Side = 'left' | 'right'

export const logqlDiagnostic = defineDiagnostics('logql', {
  // Limits
  ...limitTexts,
  'too-many-operators': (d: { limit: number }) => ({
    message: `The query has more than ${d.limit} operators.`,
    why: 'Several values of one label belong in one regular expression.',
  }),

  // Tokens and grammar
  'bad-token': (d: { kind: LexFault['kind']; text: string; fault: string }) => ({
    message: FAULTS[d.kind].message,
    why: d.kind === 'range' ? [d.fault, FAULTS.range.note] : FAULTS[d.kind].note,
    fixes: (at) => quoteFixes(d.kind, d.text, at),
  }),
  unexpected: unexpectedText(misplacedFixes),
  'unknown-function': (d: { name: string; reference: Unexpected['reference'] }) => ({
    message: `There is no function \`${d.name}\`.`,
    fixes: (at) => nearestNames(d.name.toLowerCase(), functionNames).map((name) => replaceWith(at, name)),
  }),
  'bad-number': (d: { text: string; as: 'literal' | 'vectorExpr'; fault: string }) => ({
    message: `\`${d.text}\` is no decimal number.`,
    why: 'Hexadecimal, octal and binary numbers are not part of the language.',
  }),

  // Selectors and stages
  'no-stream': () => ({
    message: 'The selector needs a matcher that no empty value passes.',
    why: '`{app=~".+"}` selects the streams that have the label `app`; `{app=~".*"}`, `{app=""}` and `{app!="x"}` would select all streams.',
  }),
  'bad-regexp': (d: { reason: string; stage?: string | undefined; of?: 'parser' | 'label_replace' | undefined }) => ({
    message: `This regular expression is refused: ${d.reason}.`,
    why: 'Patterns are RE2; there are no look-arounds and back-references.',
  }),
  'regexp-groups': (d: { fault: 'unnamed' | 'duplicate'; name: string }) => ({
    message:
      d.fault === 'unnamed'
        ? 'The expression has no named group, so it extracts nothing.'
        : `Two groups are named \`${d.name}\`.`,
    why: 'A group is named by `(?P<name>…)`.',
  }),
  'bad-pattern': (d: {
    fault: 'empty' | 'no-capture' | 'named' | 'adjacent' | 'duplicate'
    found: string
    stage?: string
  }) => ({
    message: {
      empty: 'The pattern is empty.',
      'no-capture': 'The pattern has no named capture, so it extracts nothing.',
      named: `\`${d.found}\` is a named capture; a line filter has only \`<_>\`.`,
      adjacent: `No text separates the captures in \`${d.found}\`.`,
      duplicate: `Two captures are named \`${d.found}\`.`,
    }[d.fault],
    why: 'A capture is a name in angle brackets, such as `<status>`; `<_>` skips text.',
  }),
  'bad-path': (d: OfStage & { path: string; reason: string }) => ({
    message: `\`${d.path}\` is not a path: ${d.reason}.`,
    why: 'A path is written as `name.inner`, `["any name"]` or `list[0]`; a logfmt key has letters, digits and `_`.',
  }),
  'bad-ip': (d: OfStage & { value: string }) => ({
    message: `\`${d.value}\` is no IP address, network or range of addresses.`,
    why: 'Write `10.0.0.1`, `10.0.0.0/8` or `10.0.0.1-10.0.0.9`.',
  }),
  'ip-operator': (_: OfStage) => ({ message: 'Addresses are filtered with `|=` or `!=` only.' }),
  'bad-template': (d: OfStage & { reason: string; label?: string | undefined }) => ({
    message: `The template is refused: ${d.reason}.`,
  }),
  'label-format-twice': (d: OfStage & { label: string }) => ({
    message: `The label \`${d.label}\` is set twice in one stage.`,
    why: 'Write a second `label_format` stage.',
  }),
  'label-format-error': (d: OfStage & { label: string }) => ({ message: `The label \`${d.label}\` cannot be set.` }),

  // Aggregations
  'needs-unwrap': (d: OfFunction) => ({
    message: `\`${d.name}\` needs the values of a label.`,
    why: 'Add `| unwrap LABEL` before the range.',
  }),
  'has-unwrap': (d: OfFunction) => ({ message: `\`${d.name}\` counts lines or bytes and takes no \`unwrap\`.` }),
  'no-grouping': (d: OfFunction) => ({
    message: `\`${d.name}\` takes no grouping.`,
    why: 'Group by an aggregation around it, such as `sum by (app) (…)`.',
  }),
  'sort-grouping': (d: OfFunction) => ({ message: `\`${d.name}\` takes no grouping.` }),
  'no-parameter': (d: OfFunction) => ({ message: `\`${d.name}\` needs a number as its first argument.` }),
  'extra-parameter': (d: OfFunction & { text: string; isRange: boolean }) => ({
    message: `\`${d.name}\` takes no number.`,
  }),
  'bad-quantile': (d: OfFunction & { text: string; fault: string }) => ({
    message: `\`${d.text}\` is no decimal number.`,
  }),
  'bad-parameter': (d: OfFunction & { text: string; isWhole: boolean }) => ({
    message: `\`${d.text}\` is no whole number greater than 0.`,
  }),
  'logs-operand': (d: { side: Side; op: string; hasStages: boolean }) => ({
    message: `The ${d.side} side of \`${d.op}\` is a log query; operators take numbers and metric queries.`,
    why: 'Count the lines first: `count_over_time({…}[5m])`.',
  }),
  'number-operand': (d: { side: Side; op: string; value: number }) => ({
    message: `The ${d.side} side of \`${d.op}\` is a number; \`${d.op}\` takes metric queries.`,
    why: '`vector(…)` makes a series of a number.',
  }),
  'number-argument': (d: OfFunction) => ({
    message: `\`${d.name}\` takes a metric query, not a number.`,
    why: '`vector(…)` makes a series of a number.',
  }),
})
