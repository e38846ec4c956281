import type { Rule, Token } from '../../kit/index.ts'
import type * as ast from '../ast.ts'
import { checkMetricFunction } from '../check.ts'
import { printTraceql } from '../format.ts'
import { floatOf, intOf, numberOf } from './literals.ts'
import { SpanSyntax } from './spans.ts'
import * as t from './tokens.ts'

/** Number of values per attribute that `compare` lists by default. */
const DEFAULT_TOP = 10

/** A metrics function with its group keys. */
export interface MetricCall {
  readonly fn: ast.MetricFunction
  readonly by: readonly ast.MetricKey[]
}

type FieldMetricName = Extract<ast.MetricFunction, { field: ast.FieldRef; quantiles?: never }>['name']

/** The rules for the functions that end a metrics query. */
export abstract class MetricSyntax extends SpanSyntax {
  readonly metric: Rule<[], MetricCall> = this.RULE('metric', () => {
    const start = this.startOffset()
    const call = this.or<MetricCall>(0, [
      {
        ALT: () => {
          const fn = this.subrule(this.ungrouped)
          const by = this.option(0, () => this.subrule(this.grouping))
          return { fn, by: by ?? [] }
        },
      },
      {
        ALT: () => {
          const fn = this.subrule(this.compare)
          return { fn, by: [] }
        },
      },
    ])
    this.ACTION(() => checkMetricFunction(call.fn, this.spanFrom(start), this.session))
    return call
  })

  readonly ungrouped: Rule<[], ast.MetricFunction> = this.RULE('ungrouped', () =>
    this.or<ast.MetricFunction>(0, [
      {
        ALT: () => {
          const word = this.consume(t.CountMetric)
          this.consume(t.LParen)
          this.consume(t.RParen)
          return this.ACTION(() => ({ name: word.image as 'rate' | 'count_over_time' }))
        },
      },
      {
        ALT: () => {
          const word = this.consume(t.FieldMetric)
          this.consume(t.LParen)
          const field = this.subrule(this.field, true)
          this.consume(t.RParen)
          return this.ACTION(() => ({ name: word.image as FieldMetricName, field }))
        },
      },
      { ALT: () => this.subrule(this.quantiles) },
    ]),
  )

  readonly quantiles: Rule<[], ast.MetricFunction> = this.RULE('quantiles', () => {
    const quantiles: number[] = []
    this.consume(t.QuantileOverTime)
    this.consume(t.LParen)
    const field = this.subrule(this.field, true)
    this.consume(t.Comma)
    this.list(() => quantiles.push(this.subrule(this.quantile)))
    this.consume(t.RParen)
    return { name: 'quantile_over_time', field, quantiles }
  })

  readonly quantile: Rule<[], number> = this.RULE('quantile', () => {
    const literal = this.or<ast.LiteralValue>(0, [
      { ALT: () => this.constant(this.consume(t.Integer), intOf) },
      { ALT: () => this.constant(this.consume(t.Float), floatOf) },
    ])
    return this.ACTION(() => numberOf({ literal }))
  })

  /** Rule for `compare({selection}, top, start, end)`. All arguments except the selection are optional. */
  readonly compare: Rule<[], ast.MetricFunction> = this.RULE('compare', () => {
    this.consume(t.Compare)
    this.consume(t.LParen)
    const selection = this.nested(() => this.subrule(this.filter))
    this.expectNext([t.RParen, t.Comma])
    const numbers: Token[] = []
    this.option(0, () => {
      this.#integerAfterComma(numbers)
      this.expectNext([t.RParen, t.Comma])
      this.option(1, () => {
        this.#integerAfterComma(numbers)
        this.#integerAfterComma(numbers)
      })
    })
    this.consume(t.RParen)
    return this.ACTION(() => {
      const [top = BigInt(DEFAULT_TOP), startNs, endNs] = numbers.map(({ image }) => BigInt(image))
      const window = startNs === undefined || endNs === undefined ? undefined : { startNs, endNs }
      return { name: 'compare', selection, top: Number(top), window }
    })
  })

  #integerAfterComma(numbers: Token[]): void {
    this.consume(t.Comma)
    const token = this.consume(t.Integer)
    this.ACTION(() => numbers.push(token))
  }

  readonly grouping: Rule<[], readonly ast.MetricKey[]> = this.RULE('grouping', () => {
    const keys: ast.MetricKey[] = []
    this.consume(t.By)
    this.consume(t.LParen)
    this.list(() => {
      const isOfParent = this.ACTION(() => this.LA(1).image.startsWith('parent.'))
      const field = this.subrule(this.field, true)
      this.ACTION(() => keys.push({ field, label: labelOf(field, isOfParent) }))
    })
    this.consume(t.RParen)
    return keys
  })
}

/** Returns the label of a group key: the field in canonical form. */
function labelOf(field: ast.FieldRef, isOfParent: boolean): string {
  const text = printTraceql(field)
  return isOfParent ? `parent.${text.replace(/^\./, '')}` : text
}
