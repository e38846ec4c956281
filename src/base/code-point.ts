function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/**
 * The code point at a UTF-16 offset; a surrogate without its other half is one itself, and `undefined` stands outside the
 * text. In place of `text.codePointAt(index)`, whose optimized code in V8 reads behind a slice that ends inside a surrogate
 * pair and gives the whole pair. Iteration over a string does not have that fault.
 */
export function codePointAt(text: string, index: number): number | undefined {
  if (index < 0 || index >= text.length) return undefined
  const unit = text.charCodeAt(index)
  if (!isHigh(unit) || index + 1 >= text.length) return unit
  const low = text.charCodeAt(index + 1)
  return isLow(low) ? (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : unit
}
