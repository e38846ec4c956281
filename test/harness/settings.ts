import { rules } from '../../src/optimize/index.ts'
import type { QueryOptions } from '../../src/engine/index.ts'

/** Engine settings under which every sheet runs again. The answers must be the same under all of them. */
export interface Setting {
  readonly name: string
  readonly options: QueryOptions
}

export const asItIs: Setting = { name: 'as it is', options: {} }

/** All settings besides the default: the optimizer off, batches of one row, each rule disabled, each rule alone. */
export const otherSettings: readonly Setting[] = [
  { name: 'optimizer off', options: { disabledRules: ['*'] } },
  { name: 'one-row batches', options: { limits: { batchRows: 1 } } },
  ...rules.map((rule): Setting => ({ name: `without ${rule.name}`, options: { disabledRules: [rule.name] } })),
  ...rules.map((rule): Setting => ({
    name: `with ${rule.name} alone`,
    options: { disabledRules: rules.filter((other) => other !== rule).map((other) => other.name) },
  })),
]
