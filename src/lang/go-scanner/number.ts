import { parseFloat64 } from '../../functions/go-template/format/index.ts'

/** The result of parsing a number token. Messages have the wording of the reference implementation. */
export interface GoNumber {
  /** The value; 0 if there is a `valueFault`. */
  readonly value: number
  /** Set if the scanner rejects the token, such as `1e` or `08`. */
  readonly tokenFault: string | undefined
  /** Set if the token is not a decimal number, such as `0b1`, or is too large. */
  readonly valueFault: string | undefined
}

const BASES: Readonly<Record<string, readonly [name: string, badDigit: RegExp]>> = {
  x: ['hexadecimal', /[^0-9a-fA-F]/],
  o: ['octal', /[89]/],
  b: ['binary', /[2-9]/],
}

/** True if underscores stand only between digits, or between a base prefix and a digit. */
function hasGoodUnderscores(text: string): boolean {
  return !/_(?![0-9a-fA-F])|(?<![0-9a-fA-FxXoObB])_/.test(text)
}

function tokenFaultOf(text: string): string | undefined {
  const prefix = /^0([xob])/i.exec(text)?.[1]?.toLowerCase()
  if (prefix === undefined) {
    if (/[eE][+-]?_*$/.test(text)) return 'exponent has no digits'
    const bad = /^0[0-9_]*$/.test(text) ? /[89]/.exec(text) : null
    if (bad !== null) return `invalid digit '${bad[0]}' in octal literal`
  } else {
    const [name, badDigit] = BASES[prefix]!
    const digits = text.slice(2)
    if (/^_*$/.test(digits)) return `${name} literal has no digits`
    if (/[pP][+-]?_*$/.test(digits)) return 'exponent has no digits'
    if (digits.includes('.') && prefix !== 'x') return `invalid radix point in ${name} literal`
    if (digits.includes('.') && !/[pP]/.test(digits)) return "hexadecimal mantissa requires a 'p' exponent"
    const bad = prefix === 'x' ? null : badDigit.exec(digits)
    if (bad !== null) return `invalid digit '${bad[0]}' in ${name} literal`
  }
  return hasGoodUnderscores(text) ? undefined : "'_' must separate successive digits"
}

/** Parses the text of a number token. */
export function readNumber(text: string): GoNumber {
  const value = hasGoodUnderscores(text) ? parseFloat64(text.replaceAll('_', '')) : undefined
  const valueFault = value === undefined ? 'invalid syntax' : Number.isFinite(value) ? undefined : 'value out of range'
  return { value: valueFault === undefined ? (value ?? 0) : 0, tokenFault: tokenFaultOf(text), valueFault }
}
