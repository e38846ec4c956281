import { numberArg, type NamedTest } from './definition.ts'

function lengthInCodePoints(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(i + 1)
    if (next >= 0xdc00 && next <= 0xdfff) {
      length--
      i++
    }
  }
  return length
}

/** Arguments: the smallest and largest number of code points, both included. */
export const lenRange: NamedTest = {
  name: 'len-range',
  text: (args) => {
    const min = numberArg(args, 0, 0)
    const max = numberArg(args, 1, Infinity)
    return (text) => {
      // The number of code points is at least half the number of UTF-16 units, and at most all of them.
      if (text.length < min || text.length > 2 * max) return false
      const length = lengthInCodePoints(text)
      return length >= min && length <= max
    }
  },
}
