import type { Kernels } from '../kernels.ts'
import { isPlainNumber, type Views } from './views.ts'

export function pointKernels(views: Views): Pick<Kernels, 'writePoints'> {
  const { words, doubles } = views
  return {
    writePoints(times, values, count, out, _tables, written) {
      let at = out
      let i = 0
      for (; i < count; i++) {
        const time = doubles[(times >>> 3) + i]
        const value = doubles[(values >>> 3) + i]
        if (!(time >= 0 && time < 2 ** 53) || !isPlainNumber(value)) break
        const ms = Math.floor(time % 1000)
        const fraction = ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`
        at = views.write(`,[${Math.floor(time / 1000)}${fraction},"${value}"]`, at)
      }
      words[written >>> 2] = i
      return at
    },
  }
}
