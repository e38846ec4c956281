/** See `Kernels.rateWindows`. */
export function rateWindows(
  times: usize,
  timesEnd: usize,
  values: usize,
  ends: usize,
  endsEnd: usize,
  out: usize,
  kinds: usize,
  rangeMs: f64,
  divisor: f64,
  isCounter: u32,
): usize {
  /** The values array follows the times array at this distance in bytes. */
  const toValue = values - times
  let first = times
  let beyond = times
  /** The address of the latest sample whose value is below the previous one (a counter reset); 0 if there is none. */
  let reset: usize = 0
  // No value is less than NaN, so the first sample never counts as a reset.
  let before = NaN
  for (; ends < endsEnd; ends += 8, out += 8, kinds++) {
    const endMs = load<f64>(ends)
    const startMs = endMs - rangeMs
    for (; beyond < timesEnd && load<f64>(beyond) <= endMs; beyond += 8) {
      const value = load<f64>(beyond + toValue)
      if (value < before) reset = beyond
      before = value
    }
    while (first < timesEnd && load<f64>(first) <= startMs) first += 8
    const last = beyond - 8
    if (beyond <= first || last <= first) {
      store<u8>(kinds, 0)
      continue
    }
    const firstMs = load<f64>(first)
    const lastMs = load<f64>(last)
    const firstValue = load<f64>(first + toValue)
    let difference = load<f64>(last + toValue) - firstValue
    if (isCounter != 0 && reset > first) difference = withLost(difference, first + toValue, last + toValue)

    // Extrapolates to the ends of the window, as `extrapolationFactor` does for a counter whose start is unknown.
    const sampled = (lastMs - firstMs) / 1000
    const average = sampled / f64(u32(last - first) >> 3)
    const limit = average * 1.1
    let ahead = (firstMs - startMs) / 1000
    let behind = (endMs - lastMs) / 1000
    if (ahead >= limit) ahead = average / 2
    if (isCounter != 0 && difference > 0 && firstValue >= 0) {
      const toZero = sampled * (firstValue / difference)
      if (toZero < ahead) ahead = toZero
    }
    if (behind >= limit) behind = average / 2
    const factor = sampled == 0 ? 1 : (sampled + ahead + behind) / sampled
    store<f64>(out, difference * (factor / divisor))
    store<u8>(kinds, 1)
  }
  return first
}

/**
 * Adds the value before each counter reset among the samples `[first, last]`. The additions are in order, so that the
 * result equals the plain kernel's.
 */
function withLost(difference: f64, first: usize, last: usize): f64 {
  for (let at = first; at < last; at += 8) {
    const value = load<f64>(at)
    if (load<f64>(at, 8) < value) difference += value
  }
  return difference
}
