import { ExpansionFault } from '../../../functions/go-template/index.ts'
import type { ExpansionBudget } from '../../../functions/go-template/index.ts'
import type { GoValue } from '../../../functions/go-template/index.ts'
import { filters } from './filters.ts'
import { scalar } from './values.ts'

/** State of one expansion. */
export class Expansion {
  readonly budget: ExpansionBudget
  /** Values of the names in scope. */
  names: ReadonlyMap<string, GoValue>
  output = ''

  constructor(budget: ExpansionBudget, names: ReadonlyMap<string, GoValue>) {
    this.budget = budget
    this.names = names
  }

  write(text: string): void {
    this.budget.checkLength(this.output.length + text.length)
    this.output += text
  }

  /** Runs a statement with additional names in scope, which shadow existing ones. */
  runWith(added: Iterable<readonly [string, GoValue]>, body: JinjaStatement): void {
    const outer = this.names
    this.names = new Map([...outer, ...added])
    body(this)
    this.names = outer
  }

  /** Applies a filter; an unknown one returns the value unchanged. Throws ExpansionFault. */
  filter(name: string, value: GoValue, args: readonly GoValue[], offset: number): GoValue {
    this.budget.step()
    try {
      const result = filters.get(name)?.(scalar(value), args.map(scalar), this.budget) ?? value
      if (typeof result === 'string') this.budget.checkLength(result.length)
      return result
    } catch (error) {
      throw error instanceof ExpansionFault ? new ExpansionFault(error.message, { location: { offset } }) : error
    }
  }
}

/** A compiled expression. */
export type Expression = (expansion: Expansion) => GoValue

/** A compiled statement or statement list. */
export type JinjaStatement = (expansion: Expansion) => void
