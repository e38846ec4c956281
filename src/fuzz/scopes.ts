import type { Random } from '../base/index.ts'
import { operators } from '../lang/json/index.ts'
import { fieldNames, levels, numbers, numberTexts, words, workloads } from './dataset.ts'

type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [name: string]: Json }

function value(random: Random): Json {
  switch (random.below(7)) {
    case 0:
      return random.pick(levels)
    case 1:
      return random.pick(workloads)
    case 2:
      return random.pick(numbers)
    case 3:
      return random.pick(numberTexts)
    case 4:
      return `${random.pick(words)}*`
    case 5:
      return [random.pick(levels), random.pick(workloads)]
    default:
      return random.pick(words)
  }
}

function condition(random: Random): Json {
  // Mostly conditions that let some rows through and hold others back.
  const isPlain = random.next() < 0.6
  const key = isPlain ? random.pick(['level', 'workload', 'namespace']) : random.pick([...fieldNames, 'severity', '*'])
  const op = isPlain ? random.pick(['match', 'eq', 'ne', 'not_match', 'in']) : random.pick(operators).name
  const count = 1 + random.below(2)
  const filters = Array.from({ length: count }, (): Json => ({
    op,
    value: isPlain ? (key === 'workload' ? random.pick(workloads) : random.pick(levels)) : value(random),
  }))
  return { key, origin: 'root', type: 'string', filters }
}

function group(random: Random, depth: number): Json {
  const conditions = Array.from({ length: 1 + random.below(2) }, () => condition(random))
  const groups = depth > 0 && random.next() < 0.3 ? [group(random, depth - 1)] : []
  return { operator: random.pick(['and', 'or']), conditions, groups }
}

/** The data scopes of one to three policies over the logs, as they are stored. */
export function generateScopes(random: Random): readonly Json[] {
  return Array.from({ length: 1 + random.below(3) }, (): Json => {
    const rows = group(random, 1)
    return random.next() < 0.5 ? { simple: rows } : { advanced: { logs: rows } }
  })
}
