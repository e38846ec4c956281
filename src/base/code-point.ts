function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/**
 * Returns the code point at a UTF-16 offset, a lone surrogate unchanged, and `undefined` outside the string. Use this
 * function instead of `text.codePointAt(index)`: V8's optimized code for `codePointAt` reads past the end of a slice
 * that ends inside a surrogate pair.
 */
export function codePointAt(text: string, index: number): number | undefined {
  if (index < 0 || index >= text.length) return undefined
  const unit = text.charCodeAt(index)
  if (!isHigh(unit) || index + 1 >= text.length) return unit
  const low = text.charCodeAt(index + 1)
  return isLow(low) ? (unit - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : unit
}
