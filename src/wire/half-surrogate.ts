import { work, type JsonPath } from '../base/index.ts'

/**
 * Returns the path of the first string or member name with an unpaired surrogate. JSON can escape one but UTF-8 cannot
 * encode it, so such a string could be neither searched for nor returned. Recursive; the caller has checked the depth.
 */
export function halfSurrogateAt(body: unknown): JsonPath | undefined {
  const path: (string | number)[] = []
  const isIn = (value: unknown): boolean => {
    work(1)
    if (typeof value === 'string') return !value.isWellFormed()
    if (typeof value !== 'object' || value === null) return false
    const members = value instanceof Map || Array.isArray(value) ? value.entries() : Object.entries(value)
    for (const [step, member] of members as Iterable<readonly [string | number, unknown]>) {
      path.push(step)
      if ((typeof step === 'string' && !step.isWellFormed()) || isIn(member)) return true
      path.pop()
    }
    return false
  }
  return isIn(body) ? path : undefined
}
