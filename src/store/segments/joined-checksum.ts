/** CRC-32 without its leading term, the lowest power in the highest bit. */
const POLYNOMIAL = 0xed_b8_83_20
const ONE = 0x80_00_00_00

/** A polynomial times `x`. */
function shifted(factor: number): number {
  return (factor >>> 1) ^ (POLYNOMIAL & -(factor & 1))
}

/** What four powers that were shifted out stand for. */
const overflow = Uint32Array.from({ length: 16 }, (_, out) => shifted(shifted(shifted(shifted(out)))))
/** A polynomial times each of the sixteen of four powers. */
type Multiples = Uint32Array

function multiplesOf(factor: number): Multiples {
  const multiples = new Uint32Array(16)
  multiples[8] = factor
  for (let bit = 4; bit > 0; bit >>>= 1) {
    multiples[bit] = shifted(multiples[bit * 2])
  }
  for (let high = 2; high < 16; high *= 2) {
    for (let low = 1; low < high; low++) multiples[high + low] = multiples[high] ^ multiples[low]
  }
  return multiples
}

/** The product of two polynomials modulo that of the checksum: four powers of `a` at once. */
function product(a: number, multiples: Multiples): number {
  let sum = multiples[a & 15]
  for (let bit = 4; bit < 32; bit += 4) sum = multiples[(a >>> bit) & 15] ^ (sum >>> 4) ^ overflow[sum & 15]
  return sum >>> 0
}

const DIGITS = 256
/** As many digits to this base as lengths below 2 ** 56 have. */
const PLACES = 7

/** For each place of a digit and each digit there, `x` to the power of eight times what it stands for: that many bytes. */
const powers: readonly Uint32Array[] = (() => {
  const all: Uint32Array[] = []
  let one = ONE >>> 8
  for (let place = 0; place < PLACES; place++) {
    const power = new Uint32Array(DIGITS)
    power[0] = ONE
    const ones = multiplesOf(one)
    for (let digit = 1; digit < DIGITS; digit++) power[digit] = product(power[digit - 1], ones)
    all.push(power)
    one = product(power[DIGITS - 1], ones)
  }
  return all
})()

/** Of the powers that lengths asked for: making them took half of what a product does. */
const known: (Multiples | undefined)[] = []

/** The CRC-32 of bytes with the checksum `before` and, behind them, `bytes` bytes with the checksum `behind`. */
export function joinedChecksum(before: number, behind: number, bytes: number): number {
  let shifted = before
  for (let left = bytes, place = 0; left > 0; left = Math.floor(left / DIGITS), place++) {
    const digit = left % DIGITS
    if (digit > 0) shifted = product(shifted, (known[place * DIGITS + digit] ??= multiplesOf(powers[place][digit])))
  }
  return (shifted ^ behind) >>> 0
}
