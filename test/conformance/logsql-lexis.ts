import { readTextPattern } from '../../src/data/index.ts'
import { scan } from '../../src/lang/log/index.ts'

export function tokensOf(text: string): readonly string[] {
  return scan(text).tokens.map(({ value }) => value)
}

export function patternStepsOf(pattern: string): unknown {
  const steps = readTextPattern(pattern)
  if (typeof steps === 'string') return steps
  return steps.map(({ prefix, field, option }) => ({ prefix, field: field ?? '', fieldOpt: option }))
}
