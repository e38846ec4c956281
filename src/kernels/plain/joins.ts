import type { Kernels } from '../kernels.ts'
import type { Views } from './views.ts'

export function joinKernels({ words }: Views): Pick<Kernels, 'keyedRows' | 'rowPairs'> {
  return {
    keyedRows(mask, maskEnd, codes, row, known, rows, keys, without, withoutEnd) {
      let count = 0
      let others = 0
      for (let i = 0; mask + i * 4 < maskEnd; i++) {
        for (let bits = words[(mask >>> 2) + i]; bits !== 0; bits &= bits - 1) {
          const bit = 31 - Math.clz32(bits & -bits)
          const key = words[(known >>> 2) + words[(codes >>> 2) + i * 32 + bit]]
          if (key > 1) {
            words[(rows >>> 2) + count] = row + i * 32 + bit
            words[(keys >>> 2) + count] = key - 2
            count++
          } else {
            words[(without >>> 2) + others] = row + i * 32 + bit
            others++
          }
        }
      }
      words[withoutEnd >>> 2] = without + others * 4
      return rows + count * 4
    },
    rowPairs(rows, keys, keysEnd, heads, starts, others, lefts, rights, rightsEnd, done, state) {
      const mostPairs = (rightsEnd - rights) >>> 2
      let count = 0
      let next = done
      let at = 0
      for (; keys + at * 4 < keysEnd && count < mostPairs; at++, next = 0) {
        const key = words[(keys >>> 2) + at]
        const more = words[(heads >>> 2) + key * 2 + 1]
        for (; next <= more && count < mostPairs; next++, count++) {
          const right = next === 0 ? (heads >>> 2) + key * 2 : (others >>> 2) + words[(starts >>> 2) + key] + next
          words[(lefts >>> 2) + count] = words[(rows >>> 2) + at]
          words[(rights >>> 2) + count] = words[right]
        }
        if (next <= more) break
      }
      words[state >>> 2] = keys + at * 4
      words[(state >>> 2) + 1] = rights + count * 4
      words[(state >>> 2) + 2] = next
    },
  }
}
