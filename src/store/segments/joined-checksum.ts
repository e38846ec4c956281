/** CRC-32 without its leading term, the lowest power in the highest bit. */
const POLYNOMIAL = 0xed_b8_83_20
const ONE = 0x80_00_00_00

/** The product of two polynomials modulo that of the checksum. */
function product(a: number, b: number): number {
  let sum = 0
  let factor = b
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) sum ^= factor
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1
  }
  return sum >>> 0
}

/** `x` to the power of `2 ** n`, for `n` below 56: as many as lengths in bits have digits. */
const powers: readonly number[] = (() => {
  const all = [ONE >>> 1]
  while (all.length < 56) {
    const last = all[all.length - 1] ?? 0
    all.push(product(last, last))
  }
  return all
})()

/** The CRC-32 of bytes with the checksum `before` and, behind them, `bytes` bytes with the checksum `behind`. */
export function joinedChecksum(before: number, behind: number, bytes: number): number {
  let shift = ONE
  // A byte is eight bits: three powers further.
  for (let left = bytes, n = 3; left > 0; left = Math.floor(left / 2), n++)
    if (left % 2 === 1) shift = product(powers[n] ?? 0, shift)
  return (product(shift, before) ^ behind) >>> 0
}
