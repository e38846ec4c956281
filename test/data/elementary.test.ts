import { describe, expect, test } from 'vitest'
import { compareText } from '../../src/data/index.ts'
import { bucketBound } from '../../src/data/elementary/bucket-bound.ts'
import * as elementary from '../../src/data/elementary/index.ts'

const { atan2, pow, ...ofOne } = elementary
const ofTwo = { atan2, pow }

/** The generator of arguments for which the expected checksums below were computed. */
class Arguments {
  #state = 20_240_229
  readonly #float = new Float64Array(1)
  readonly #words = new Uint32Array(this.#float.buffer)

  next(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return this.#state / 2 ** 32
  }

  /**
   * Returns a random argument: arbitrary bits, small and large numbers, integers, hundredths, or numbers close to 1.
   */
  value(kind: number): number {
    switch (kind % 8) {
      case 0:
        this.#words[0] = this.next() * 2 ** 32
        this.#words[1] = this.next() * 2 ** 32
        return this.#float[0] ?? 0
      case 1:
        return (this.next() - 0.5) * 2
      case 2:
        return (this.next() - 0.5) * 20
      case 3:
        return (this.next() - 0.5) * 1500
      case 4:
        return Math.round((this.next() - 0.5) * 200)
      case 5:
        return Math.round(this.next() * 10000) / 100
      case 6:
        return this.next() * 1e10
      default:
        return 1 + (this.next() - 0.5) * 2 ** -Math.floor(this.next() * 40)
    }
  }
}

const results = new Float64Array(1)
const words = new Uint32Array(results.buffer)

/** An order-dependent checksum over the bits of results. All NaN count as equal. */
class BitSum {
  #sum = 0x811c9dc5

  add(value: number): void {
    results[0] = Number.isNaN(value) ? 0.1 : value
    this.#sum = Math.imul(this.#sum ^ (words[0] ?? 0), 0x01000193)
    this.#sum = Math.imul(this.#sum ^ (words[1] ?? 0), 0x01000193)
  }

  get text(): string {
    return (this.#sum >>> 0).toString(16)
  }
}

const COUNT = 20_000

describe('bounds of exponential buckets', () => {
  test('all of the finest schema, and a few by their digits', () => {
    const sum = new BitSum()
    for (let i = 0; i < 256; i++) sum.add(bucketBound(8, i))
    expect(sum.text).toBe('b1a73d4a')
    expect([1, 2, 3].map((index) => bucketBound(2, index) / 2)).toEqual([
      0.5946035575013605, 0.7071067811865475, 0.8408964152537144,
    ])
    expect([bucketBound(0, -1074), bucketBound(0, 1023), bucketBound(3, -8), bucketBound(8, 512)]).toEqual([
      5e-324,
      2 ** 1023,
      0.5,
      4,
    ])
  })
})

describe('to the bit as the reference computes them', () => {
  test.each<[keyof typeof ofOne, string]>([
    ['exp', '728d2b5d'],
    ['exp2', '8c9ca486'],
    ['log', 'b7385afb'],
    ['log2', 'cb084ee8'],
    ['log10', 'd8083409'],
    ['log1p', '55997554'],
    ['sin', '92cb27cf'],
    ['cos', '4c8574a6'],
    ['tan', 'efa9059a'],
    ['asin', '345b5d26'],
    ['acos', '31938d40'],
    ['atan', '39d4b994'],
    ['sinh', '153ecc33'],
    ['cosh', '6eab8892'],
    ['tanh', '44b76dc1'],
    ['asinh', 'f95784b8'],
    ['acosh', '6ac79739'],
    ['atanh', 'ce233afd'],
  ])('%s of 20,000 numbers', (name, wanted) => {
    const args = new Arguments()
    const sum = new BitSum()
    for (let i = 0; i < COUNT; i++) sum.add(ofOne[name](args.value(i)))
    expect(sum.text).toBe(wanted)
  })

  test.each<[keyof typeof ofTwo, string]>([
    ['pow', '5762e17e'],
    ['atan2', 'ecc841ac'],
  ])('%s of 20,000 pairs', (name, wanted) => {
    const args = new Arguments()
    const sum = new BitSum()
    for (let i = 0; i < COUNT; i++) {
      const a = args.value(Math.floor(args.next() * 8))
      sum.add(ofTwo[name](a, args.value(Math.floor(args.next() * 8))))
    }
    expect(sum.text).toBe(wanted)
  })

  const specials = [0, -0, 1, -1, NaN, Infinity, -Infinity, 0.5, -0.5, 2, 3, -3, 1e308, -1e308, 5e-324, 2 ** 29, 1e22]

  test('the edges, one by one and in pairs', () => {
    const sums = [...Object.entries(ofOne), ...Object.entries(ofTwo)].map(([name, fn]) => {
      const sum = new BitSum()
      for (const a of specials) for (const b of fn.length === 1 ? [0] : specials) sum.add(fn(a, b))
      return `${name} ${sum.text}`
    })
    expect(sums.toSorted(compareText)).toEqual([
      'acos 6cae7cce',
      'acosh 2a261c8b',
      'asin ff99328',
      'asinh e4752142',
      'atan 127019b6',
      'atan2 1e61fc71',
      'atanh 317ba2e8',
      'cos 643338b',
      'cosh 87a8bab6',
      'exp cff2abaa',
      'exp2 828f62a4',
      'log 57ddd5ab',
      'log10 f2b0d0cf',
      'log1p 945646aa',
      'log2 c43c7d62',
      'pow d0ef0a0d',
      'sin 66322867',
      'sinh 72aa7c3c',
      'tan 2bdbcf0c',
      'tanh 70d57f4d',
    ])
  })

  // A checksum does not show which result is wrong, so these cases test a few results one by one.
  test.each([
    ['exp', 1.5, 4.481689070338065],
    ['exp', 3.1, 22.197951281441632],
    ['sin', 0.8, 0.7173560908995227],
    ['sin', 1.7, 0.9916648104524687],
    ['log10', 2.7, 0.4313637641589873],
    ['exp', 709.78, Infinity],
    ['exp', -745.13, 5e-324],
    ['log10', 1000, 3],
    ['log2', 8, 3],
    ['tan', 1e22, -1.6287782256068992],
  ] as const)('%s(%d)', (name, x, wanted) => {
    expect(ofOne[name](x)).toBe(wanted)
  })
})
