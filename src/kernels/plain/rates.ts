import type { Kernels } from '../kernels.ts'
import type { Views } from './views.ts'

export function rateKernels({ bytes, doubles }: Views): Pick<Kernels, 'rateWindows'> {
  return {
    rateWindows(times, timesEnd, values, ends, endsEnd, out, kinds, rangeMs, divisor, isCounter) {
      const endIndex = timesEnd >>> 3
      const toValue = (values >>> 3) - (times >>> 3)
      let first = times >>> 3
      let beyond = first
      for (let step = 0; ends + step * 8 < endsEnd; step++) {
        const endMs = doubles[(ends >>> 3) + step]
        const startMs = endMs - rangeMs
        while (beyond < endIndex && doubles[beyond] <= endMs) beyond++
        while (first < endIndex && doubles[first] <= startMs) first++
        const last = beyond - 1
        bytes[kinds + step] = 0
        if (last <= first) continue
        const firstMs = doubles[first]
        const lastMs = doubles[last]
        const firstValue = doubles[first + toValue]
        let difference = doubles[last + toValue] - firstValue
        if (isCounter === 1) {
          // Added in order of the resets, so that the result equals the compiled kernel's.
          for (let at = first + toValue; at < last + toValue; at++) {
            if (doubles[at + 1] < doubles[at]) difference += doubles[at]
          }
        }
        const sampled = (lastMs - firstMs) / 1000
        const average = sampled / (last - first)
        const limit = average * 1.1
        let ahead = (firstMs - startMs) / 1000
        let behind = (endMs - lastMs) / 1000
        if (ahead >= limit) ahead = average / 2
        if (isCounter === 1 && difference > 0 && firstValue >= 0) {
          const toZero = sampled * (firstValue / difference)
          if (toZero < ahead) ahead = toZero
        }
        if (behind >= limit) behind = average / 2
        const factor = sampled === 0 ? 1 : (sampled + ahead + behind) / sampled
        doubles[(out >>> 3) + step] = difference * (factor / divisor)
        bytes[kinds + step] = 1
      }
      return first * 8
    },
  }
}
