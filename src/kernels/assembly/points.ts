import { isPlainNumber, writeNumber, writeWhole } from './decimals'
import { DOT, ZERO } from './ascii'

/** The two-character texts `,[`, `,"` and `"]`, little-endian. */
const OPEN: u16 = 0x5b2c
const QUOTE: u16 = 0x222c
const CLOSE: u16 = 0x5d22

/** Writes milliseconds as seconds, with three digits after the point when there is a fraction. */
function writeSeconds(ms: u64, out: usize): usize {
  const seconds = ms / 1000
  const rest = u32(ms - seconds * 1000)
  const end = writeWhole(seconds, out)
  if (rest == 0) return end
  store<u8>(end, DOT)
  store<u8>(end, ZERO + u8(rest / 100), 1)
  store<u8>(end, ZERO + u8((rest / 10) % 10), 2)
  store<u8>(end, ZERO + u8(rest % 10), 3)
  return end + 4
}

/** See `Kernels.writePoints`. */
export function writePoints(times: usize, values: usize, count: u32, out: usize, tables: usize, written: usize): usize {
  let i: u32 = 0
  for (; i < count; i++) {
    const time = load<f64>(times + (i << 3))
    const value = load<f64>(values + (i << 3))
    if (!(time >= 0 && time < 9_007_199_254_740_992) || !isPlainNumber(value)) break
    store<u16>(out, OPEN)
    out = writeSeconds(u64(time), out + 2)
    store<u16>(out, QUOTE)
    out = writeNumber(value, out + 2, tables)
    store<u16>(out, CLOSE)
    out += 2
  }
  store<u32>(written, i)
  return out
}
