/** A literal that is no number, in the words of the reference. */
export type NumberFault =
  /** The scanner refuses it, such as `1e`. */
  | { readonly kind: 'token'; readonly message: string }
  /** The scanner accepts it, but it is no decimal number, such as `0b1`, or is too large. */
  | { readonly kind: 'value'; readonly message: string }

/** Returns what Go's scanner says of a number; `undefined` if it accepts the number. */
function scannerFault(text: string): string | undefined {
  if (/[eEpP][+-]?$/.test(text) && !/^0[xX][^pP]*$/.test(text)) return 'exponent has no digits'
  if (/^0[xX]_*$/.test(text)) return 'hexadecimal literal has no digits'
  if (/^0[xX]/.test(text))
    return text.includes('.') && !/[pP]/.test(text) ? `hexadecimal mantissa requires a 'p' exponent` : undefined
  if (/^0[bBoO]/.test(text)) return undefined
  if (/^0[0-9_]*[89][0-9_]*$/.test(text)) return `invalid digit '${/[89]/.exec(text)?.[0] ?? ''}' in octal literal`
  return /__|_$|^_|_[.eE]|[.eE]_/.test(text) ? `'_' must separate successive digits` : undefined
}

/** Reads the text of a number token. */
export function readNumber(text: string): { readonly value: number } | { readonly fault: NumberFault } {
  const message = scannerFault(text)
  if (message !== undefined) return { fault: { kind: 'token', message } }
  const value = valueOf(text.replaceAll('_', ''))
  if (Number.isFinite(value)) return { value }
  return { fault: { kind: 'value', message: Number.isNaN(value) ? 'invalid syntax' : 'value out of range' } }
}

function valueOf(text: string): number {
  const [, whole, fraction = '', exponent] =
    /^0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)$/.exec(text) ?? []
  if (whole !== undefined)
    return Number.parseInt(`${whole}${fraction}`, 16) * 2 ** (Number(exponent) - 4 * fraction.length)
  return /^0[xXoObB]/.test(text) ? Number.NaN : Number(text)
}
