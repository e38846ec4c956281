import { ZERO } from '../base/index.ts'
import * as layout from './layout.ts'

/** Returns `10^power * 2^-n`, rounded up, where `n` is such that the result has 128 bits. */
function powerOfTen(power: number): bigint {
  const shift = Math.floor((power * 1741647) / 2 ** 19) - 127
  if (power >= 0) return shift >= 0 ? (10n ** BigInt(power)) >> BigInt(shift) : (10n ** BigInt(power)) << BigInt(-shift)
  const divisor = 10n ** BigInt(-power)
  return ((1n << BigInt(-shift)) + divisor - 1n) / divisor
}

/**
 * Returns the tables that kernels expect at `tables` when they write numbers: the powers of ten, then scratch memory
 * filled with the digit zero.
 */
export function decimalTables(): Uint8Array {
  const bytes = new Uint8Array(layout.Decimal.TABLE_BYTES).fill(ZERO)
  const words = new BigUint64Array(bytes.buffer, 0, layout.Decimal.POWERS_BYTES / 8)
  for (let power = layout.Decimal.FIRST_POWER; power <= layout.Decimal.LAST_POWER; power++) {
    const bits = powerOfTen(power)
    const at = ((power - layout.Decimal.FIRST_POWER) * layout.Decimal.POWER_BYTES) / 8
    words[at] = BigInt.asUintN(64, bits)
    words[at + 1] = bits >> 64n
  }
  return bytes
}
