import { parsePromql } from '../../lang/promql/index.ts'
import {
  compareVerdicts,
  loadReader,
  type VerdictComparison,
  type KnownDifference,
  type SyntaxVerdict,
  type SecondReader,
} from '../readers/second-reader.ts'

/** Loads the parser of the Prometheus editor; `undefined` when its package is not installed. */
export function loadSecondReader(): Promise<SecondReader | undefined> {
  return loadReader(() => import('@prometheus-io/lezer-promql'))
}

/** Codes of syntax errors. The other parser does not check semantics. */
const FORM = new Set(
  [
    'unexpected',
    'bad-token',
    'bad-number',
    'no-expression',
    'trailing-comma',
    'bad-duration',
    'unknown-function',
    'too-many-errors',
  ].map((code) => `promql/${code}`),
)

function verdictOf(text: string): SyntaxVerdict {
  const found = parsePromql(text, { limits: { nesting: 1000 } }).diagnostics.find(({ code }) => FORM.has(code))
  return { isAccepted: found === undefined, fault: found?.message ?? '' }
}

/**
 * The known differences between both parsers. Ours follows the Prometheus server's own parser, not that of its editor.
 */
export const knownDifferences: readonly KnownDifference[] = [
  {
    why: 'max_of and min_of are functions outside of durations too',
    fits: (text) => /\bm(ax|in)_of\b/.test(text),
    examples: ['max_of(1, 2)', 'vector(min_of(1, 2))'],
    isOursStricter: false,
  },
  {
    why: 'an exponent cannot come twice, which cuts some hexadecimal numbers',
    fits: (text) => /0[xX]/.test(text),
    examples: ['0xeee'],
    isOursStricter: true,
  },
  {
    why: 'a number ends where no letter or digit follows',
    fits: (text) => /[0-9][A-Za-z_]/.test(text),
    examples: ['a @ 5offset 1m', '1atan2 a'],
    isOursStricter: true,
  },
  {
    why: 'atan2 cannot name a metric',
    fits: (text) => /\batan2\b/.test(text),
    examples: ['atan2', 'atan2 {a="b"}'],
    isOursStricter: true,
  },
  {
    why: 'offset can name a metric',
    fits: (text) => /\boffset\b/.test(text),
    examples: ['offset -5m', 'a + offset - 1', 'hour(offset)', 'offset{a="b"}'],
    isOursStricter: false,
  },
  {
    why: 'the other reader closes open strings and passes unknown escapes',
    fits: (_, fault) => /quoted string|raw string|escape sequence/.test(fault),
    examples: ['"abc', '"\\q"'],
    isOursStricter: true,
  },
  {
    why: 'a number may end in a point',
    fits: (text) => /[0-9]\.(?![0-9])/.test(text),
    examples: ['5.', 'a + 1.'],
    isOursStricter: false,
  },
  {
    why: 'without cannot be a label in a list, a name with a colon can',
    fits: (text) => /\bwithout\b|\w:\w/.test(text),
    examples: ['sum by (without) (a)'],
    isOursStricter: true,
  },
]

/** Compares how both parsers judge the syntax of a text. */
export function compareReaders(text: string, other: SecondReader): VerdictComparison {
  return compareVerdicts(text, verdictOf(text), other, knownDifferences)
}
