import { reduceLarge, type Octants } from './reduce.ts'

/** π/4 in three parts. The first two have few bits, so that their products with the number of octants are exact. */
const QUARTERS = [0.7853981256484985, 3.774894707930798e-8, 2.6951514290790595e-15] as const

/** Splits a non-negative angle into octants and remainder. */
function reduce(x: number): Octants {
  if (x >= 2 ** 29) return reduceLarge(x)
  const [first, second, third] = QUARTERS
  let octant = Math.trunc(x * (4 / Math.PI))
  if (octant % 2 === 1) octant++
  return { octant: octant & 7, rest: x - octant * first - octant * second - octant * third }
}

function sineSeries(z: number): number {
  const zz = z * z
  const sum =
    ((((1.5896230157654656e-10 * zz - 2.5050747762857807e-8) * zz + 2.7557313621385722e-6) * zz -
      0.0001984126982958954) *
      zz +
      0.008333333333322118) *
      zz -
    0.1666666666666663
  return z + z * zz * sum
}

function cosineSeries(z: number): number {
  const zz = z * z
  const sum =
    ((((-1.1358536521387682e-11 * zz + 2.087570084197473e-9) * zz - 2.755731417929674e-7) * zz +
      2.4801587288851704e-5) *
      zz -
      0.0013888888888873056) *
      zz +
    0.041666666666666595
  return 1 - 0.5 * zz + zz * zz * sum
}

export function sin(x: number): number {
  if (x === 0 || x !== x) return x
  if (x === Infinity || x === -Infinity) return NaN
  const { octant, rest } = reduce(Math.abs(x))
  const isBelow = octant > 3
  const half = isBelow ? octant - 4 : octant
  const y = half === 2 ? cosineSeries(rest) : sineSeries(rest)
  return x < 0 === isBelow ? y : -y
}

export function cos(x: number): number {
  if (!(Math.abs(x) < Infinity)) return NaN
  const { octant, rest } = reduce(Math.abs(x))
  const half = octant > 3 ? octant - 4 : octant
  const y = half === 2 ? sineSeries(rest) : cosineSeries(rest)
  return octant > 3 === half > 1 ? y : -y
}

export function tan(x: number): number {
  if (x === 0 || x !== x) return x
  if (x === Infinity || x === -Infinity) return NaN
  const { octant, rest } = reduce(Math.abs(x))
  const zz = rest * rest
  let y = rest
  if (zz > 1e-14) {
    const above = (-13093.693918138379 * zz + 1153516.6483858742) * zz - 17956525.197648488
    const below =
      (((zz + 13681.296347069296) * zz - 1320892.3444021097) * zz + 25008380.18233579) * zz - 53869575.592945464
    y = rest + rest * ((zz * above) / below)
  }
  if ((octant & 2) === 2) y = -1 / y
  return x < 0 ? -y : y
}
