/** Returns the arctangent of a value in [0, 0.66]. */
function arctanOfSmall(x: number): number {
  const z = x * x
  const above =
    (((-0.8750608600031904 * z - 16.157537187333652) * z - 75.00855792314705) * z - 122.88666844901361) * z -
    64.85021904942025
  const below =
    ((((z + 24.858464901423062) * z + 165.02700983169885) * z + 432.88106049129027) * z + 485.3903996359137) * z +
    194.5506571482614
  return x * ((z * above) / below) + x
}

/** π/2 minus its nearest double. */
const HALF_PI_REST = 6.123233995736766e-17

/** Returns the arctangent of a non-negative value. */
function arctan(x: number): number {
  if (x <= 0.66) return arctanOfSmall(x)
  if (x > 1 + Math.SQRT2) return Math.PI / 2 - arctanOfSmall(1 / x) + HALF_PI_REST
  return Math.PI / 4 + arctanOfSmall((x - 1) / (x + 1)) + 0.5 * HALF_PI_REST
}

export function atan(x: number): number {
  if (x === 0) return x
  return x > 0 ? arctan(x) : -arctan(-x)
}

export function asin(x: number): number {
  if (x === 0) return x
  const size = Math.abs(x)
  if (!(size <= 1)) return NaN
  const side = Math.sqrt(1 - size * size)
  const angle = size > 0.7 ? Math.PI / 2 - arctan(side / size) : arctan(size / side)
  return x < 0 ? -angle : angle
}

export function acos(x: number): number {
  return Math.PI / 2 - asin(x)
}

/** Returns the angle of the point (x, y). Zeros and infinities are handled as in IEEE 754. */
export function atan2(y: number, x: number): number {
  if (y === 0 || x === 0 || !(Math.abs(x) < Infinity) || !(Math.abs(y) < Infinity)) return Math.atan2(y, x)
  const angle = atan(y / x)
  if (x > 0) return angle
  return angle <= 0 ? angle + Math.PI : angle - Math.PI
}
