import { present, span, type Span } from '../../base/index.ts'
import { argumentCount, aggregationSignatures, seriesSignatures, type SeriesType } from '../../plan/index.ts'
import type { Aggregation, Binary, Call, PromqlExpr, VectorMatching, VectorSelector } from './ast.ts'
import { COMPARISON_OPS } from './ast.ts'
import { isSetOp } from './build.ts'
import { promqlDiagnostic, type Report } from './diagnostics.ts'
import { matchesEmpty } from './parser/read-tokens.ts'

/** Step of the tree walk: a node to visit, or a check to run after the node's children. */
type Step = PromqlExpr | (() => void)

function isComparison(op: string): boolean {
  return (COMPARISON_OPS as readonly string[]).includes(op)
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r'
}

/**
 * Checks what the grammar does not: operand types, numbers of arguments, and selectors that match every series. Uses an
 * explicit stack, because a long chain of operators gives a deep tree.
 */
class Checker {
  readonly #text: string
  readonly #modifiers: ReadonlyMap<Binary, VectorMatching>
  readonly #report: Report
  readonly #steps: Step[] = []
  /** Selectors that may match every series: only the second argument of `info`. */
  readonly #freeSelectors = new Set<PromqlExpr>()

  constructor(text: string, modifiers: ReadonlyMap<Binary, VectorMatching>, report: Report) {
    this.#text = text
    this.#modifiers = modifiers
    this.#report = report
  }

  run(root: PromqlExpr): void {
    this.#steps.push(root)
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      if (typeof step === 'function') step()
      else this.#visit(step)
    }
  }

  /** Schedules steps to run next, before those already scheduled, in the given order. */
  #then(...steps: readonly Step[]): void {
    this.#steps.push(...steps.toReversed())
  }

  #expectType(expr: PromqlExpr, wanted: SeriesType, place: string): Step {
    return () => {
      if (expr.valueType === wanted) return
      const isSelector = expr.kind === 'vector-selector'
      this.#report(promqlDiagnostic('wrong-type', { wanted, place, got: expr.valueType, isSelector }, expr.span))
    }
  }

  #visit(expr: PromqlExpr): void {
    switch (expr.kind) {
      case 'number':
      case 'string':
        return
      case 'vector-selector':
        this.#checkSelector(expr)
        return
      case 'matrix-selector':
        this.#then(expr.selector)
        return
      case 'subquery':
        this.#then(expr.expr, () => {
          const got = expr.expr.valueType
          if (got !== 'vector') this.#report(promqlDiagnostic('subquery-type', { got }, expr.span))
        })
        return
      case 'paren':
        this.#then(expr.expr)
        return
      case 'unary':
        this.#then(expr.expr, () => {
          const got = expr.expr.valueType
          if (got !== 'scalar' && got !== 'vector') this.#report(promqlDiagnostic('unary-type', { got }, expr.span))
        })
        return
      case 'binary':
        this.#then(expr.lhs, expr.rhs, () => this.#checkBinary(expr))
        return
      case 'call':
        this.#checkCall(expr)
        return
      case 'aggregation':
        this.#checkAggregation(expr)
    }
  }

  #checkAggregation(expr: Aggregation): void {
    this.#then(expr.expr, this.#expectType(expr.expr, 'vector', 'aggregation expression'))
    const wanted = aggregationSignatures.get(expr.op)?.param
    if (wanted === undefined || expr.param === undefined) return
    const param = expr.param
    this.#steps.splice(-2, 0, this.#expectType(param, wanted, 'aggregation parameter'), param)
  }

  #checkCall(expr: Call): void {
    const signature = seriesSignatures.get(expr.name)
    if (signature === undefined) return
    const { min, max } = argumentCount(signature)
    const got = expr.args.length
    if (got < min || got > max) {
      const wanted = min === max ? String(min) : got < min ? `at least ${min}` : `at most ${max}`
      this.#report(promqlDiagnostic('argument-count', { name: expr.name, wanted, got }, expr.span))
    }
    const [, selector] = expr.args
    if (expr.name === 'info' && selector !== undefined) this.#checkInfoSelector(expr, selector)
    const place = `call to function "${expr.name}"`
    const steps: Step[] = []
    for (const [i, arg] of expr.args.entries()) {
      if (i >= signature.args.length && signature.variadic === 0) break
      const wanted = present(signature.args[Math.min(i, signature.args.length - 1)])
      steps.push(arg, this.#expectType(arg, wanted, place))
    }
    this.#then(...steps)
  }

  #checkInfoSelector(call: Call, arg: PromqlExpr): void {
    if (arg.valueType !== 'vector') {
      const data = {
        wanted: 'vector',
        place: 'call to function "info"',
        got: arg.valueType,
        isSelector: false,
      } as const
      this.#report(promqlDiagnostic('wrong-type', data, call.span))
    }
    if (arg.kind !== 'vector-selector') this.#report(promqlDiagnostic('info-selector', undefined, arg.span))
    else if (arg.name !== '') this.#report(promqlDiagnostic('info-name', undefined, arg.span))
    else this.#freeSelectors.add(arg)
  }

  #checkSelector(expr: VectorSelector): void {
    if (expr.name !== '') {
      for (const matcher of expr.matchers.slice(0, -1)) {
        if (matcher.label !== '__name__') continue
        this.#report(promqlDiagnostic('name-twice', { name: expr.name, other: matcher.value }, expr.span))
      }
      return
    }
    if (this.#freeSelectors.has(expr) || expr.matchers.some((matcher) => !matchesEmpty(matcher))) return
    this.#report(promqlDiagnostic('empty-selector', undefined, expr.span))
  }

  /**
   * Returns the span of an operator for messages. As in Prometheus, the span ends one character before the right
   * operand.
   */
  #operatorSpan(expr: Binary): Span {
    let start = expr.lhs.span.end
    while (start < this.#text.length && isSpace(this.#text.charAt(start))) start++
    let end = expr.rhs.span.start - 1
    while (end > start && isSpace(this.#text.charAt(end))) end--
    return span(start, end)
  }

  #checkBinary(expr: Binary): void {
    const { op, lhs, rhs } = expr
    const isSet = isSetOp(op)
    const matching = expr.matching ?? this.#modifiers.get(expr)
    if (expr.isBool && !isComparison(op)) {
      this.#report(promqlDiagnostic('bool-place', undefined, this.#operatorSpan(expr)))
    }
    if (isComparison(op) && !expr.isBool && lhs.valueType === 'scalar' && rhs.valueType === 'scalar') {
      this.#report(promqlDiagnostic('bool-missing', { op }, this.#operatorSpan(expr)))
    }
    if (matching?.isOn === true) {
      for (const label of matching.labels) {
        for (const other of matching.include) {
          if (label === other) this.#report(promqlDiagnostic('label-twice', { label }, this.#operatorSpan(expr)))
        }
      }
    }
    for (const side of [lhs, rhs]) {
      if (side.valueType === 'scalar' || side.valueType === 'vector') continue
      this.#report(promqlDiagnostic('operand-type', undefined, side.span))
    }
    const hasFill = matching?.fillLeft !== undefined || matching?.fillRight !== undefined
    if (expr.matching === undefined) {
      const hasLabels = matching !== undefined && matching.labels.length > 0
      if (hasLabels) this.#report(promqlDiagnostic('matching-place', undefined, expr.span))
      if (hasFill) this.#report(promqlDiagnostic('fill-place', undefined, expr.span))
    } else if (isSet) {
      if (expr.matching.cardinality !== 'many-to-many') {
        this.#report(promqlDiagnostic('set-grouping', { op }, expr.span))
        this.#report(promqlDiagnostic('set-cardinality', undefined, expr.span))
      }
      if (hasFill) this.#report(promqlDiagnostic('fill-set', undefined, expr.span))
    }
    if (isSet && (lhs.valueType === 'scalar' || rhs.valueType === 'scalar')) {
      this.#report(promqlDiagnostic('set-scalar', { op }, expr.span))
    }
  }
}

/**
 * Reports all semantic errors of a tree. `modifiers` holds the matching modifiers of operators whose operands are not
 * both vectors.
 */
export function checkTypes(
  root: PromqlExpr,
  text: string,
  modifiers: ReadonlyMap<Binary, VectorMatching>,
  report: Report,
): void {
  new Checker(text, modifiers, report).run(root)
}
