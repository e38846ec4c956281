import { ExpansionFault } from '../../go-template/index.ts'

/** Number of decimal places of a quotient. */
const QUOTIENT_DIGITS = 16

/** A decimal number: `units` × 10^-`scale`. Sums and products are exact, so `addf 0.1 0.2` is 0.3. */
export class Decimal {
  readonly #units: bigint
  readonly #scale: number

  private constructor(units: bigint, scale: number) {
    this.#units = units
    this.#scale = scale
  }

  /** Returns the shortest decimal that parses to the number. Throws ExpansionFault if the number is not finite. */
  static of(value: number): Decimal {
    if (!Number.isFinite(value)) throw new ExpansionFault(`Cannot create a Decimal from ${value}`)
    const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
    const [whole = '', fraction = ''] = mantissa.split('.')
    return new Decimal(BigInt(`${whole}${fraction}`), fraction.length - Number(exponent))
  }

  /** Returns the units at another scale, which must not be smaller than the current one. */
  #unitsAt(scale: number): bigint {
    return this.#units * 10n ** BigInt(scale - this.#scale)
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.#scale, other.#scale)
    return new Decimal(this.#unitsAt(scale) + other.#unitsAt(scale), scale)
  }

  minus(other: Decimal): Decimal {
    return this.plus(new Decimal(-other.#units, other.#scale))
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.#units * other.#units, this.#scale + other.#scale)
  }

  /** Returns the quotient with `QUOTIENT_DIGITS` decimal places. Halves are rounded away from zero. */
  dividedBy(other: Decimal): Decimal {
    if (other.#units === 0n) throw new ExpansionFault('decimal division by 0')
    const shift = QUOTIENT_DIGITS + other.#scale - this.#scale
    const numerator = this.#units * 10n ** BigInt(Math.max(0, shift))
    const denominator = other.#units * 10n ** BigInt(Math.max(0, -shift))
    const quotient = numerator / denominator
    const rest = numerator % denominator
    const isUp = 2n * (rest < 0n ? -rest : rest) >= (denominator < 0n ? -denominator : denominator)
    const away = numerator < 0n === denominator < 0n ? 1n : -1n
    return new Decimal(isUp ? quotient + away : quotient, QUOTIENT_DIGITS)
  }

  toNumber(): number {
    return Number(`${this.#units}e${-this.#scale}`)
  }
}
