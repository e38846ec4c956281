import { damage } from '../generate.ts'
import { unexplained } from '../../readers/second-reader.ts'
import { compareReaders } from '../second-reader.ts'
import type { PromqlLaw } from './law.ts'

/** The parser of Prometheus's editor accepts and rejects the same texts, except for the listed differences. */
export const readersAgree: PromqlLaw = {
  name: 'readers-agree',
  check: ({ text, secondReader, random }) => {
    if (secondReader === undefined) return undefined
    for (const candidate of [text, damage(text, random)]) {
      const difference = unexplained(candidate, compareReaders(candidate, secondReader))
      if (difference !== undefined) return difference
    }
    return undefined
  },
}
